-- What a key may do (read, write, a set of tools; everything if null), and from when on it is refused.
ALTER TABLE keys ADD COLUMN scopes TEXT;
ALTER TABLE keys ADD COLUMN expires_at INTEGER;
