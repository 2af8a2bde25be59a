package sandbox

// Stats are how a pool is at one moment.
type Stats struct {
	// Workers are the processes alive or starting, Ready those that wait for work.
	Workers, Ready int
	// Running are the runs under way, Waiting those that wait for a worker.
	Running, Waiting int
}

// Stats tells how the pool is.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Stats{Workers: p.count, Ready: len(p.idle), Running: total(p.live), Waiting: p.waiters.Len()}
}

func total(counts map[string]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}
