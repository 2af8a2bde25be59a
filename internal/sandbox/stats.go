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
	s := Stats{Workers: p.count, Ready: len(p.idle), Waiting: p.waiters.Len()}
	for _, n := range p.live {
		s.Running += n
	}
	return s
}
