"""Django's SQLite, except that writers of one process take the file's write lock in the order they came."""
