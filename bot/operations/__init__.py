"""What an operator needs: health endpoints, the log, the doctor, backups, moving a database."""
