"""Asks the example `sentence_vectors` what the classifier sees of texts."""

import json
import pickle
import subprocess

import numpy as np


class Reader:
    """Reads each text once, and gives its parts (vector, buckets of words) and what the rules find."""

    def __init__(self, program, cache):
        self.program, self.cache = program, cache
        self.known = pickle.loads(cache.read_bytes()) if cache and cache.exists() else {}

    def read(self, lines, rules=False):
        new = sorted({line for line in lines if (line, rules) not in self.known})
        if new:
            command = [self.program] + (["--rules"] if rules else [])
            out = subprocess.run(command, input="\n".join(new) + "\n", capture_output=True, text=True, check=True).stdout
            for line, found in zip(new, out.splitlines(), strict=True):
                found = json.loads(found)
                parts = [(np.array(part["vector"], dtype=np.float32), part["grams"]) for part in found["parts"]]
                self.known[line, rules] = (parts, found["rules"])
            if self.cache:
                self.cache.write_bytes(pickle.dumps(self.known))
        return [self.known[line, rules] for line in lines]
