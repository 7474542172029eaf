"""What solvers work out: best scores, analyses, and the processes they run in."""
