package limits

// smallMachineMB stands in where the machine's memory is unknown.
const smallMachineMB = 2048
