"""What an operator runs: health endpoints, the doctor, moving a database."""
