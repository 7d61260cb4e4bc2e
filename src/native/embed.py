#!/usr/bin/env python3
"""Makes a C array of a text file: embed.py NAME INPUT OUTPUT [HEADER], where HEADER declares it."""
import sys

name, source, target = sys.argv[1:4]
header = sys.argv[4] if len(sys.argv) > 4 else "native/emit/emit.h"
with open(source, "rb") as f:
    data = f.read() + b"\0"
with open(target, "w", encoding="ascii") as f:
    f.write('#include "%s"\n\nconst char %s[] = {\n' % (header, name))
    for i in range(0, len(data), 16):
        f.write("  " + ", ".join(str(b if b < 128 else b - 256) for b in data[i:i + 16]) + ",\n")
    f.write("};\n")
