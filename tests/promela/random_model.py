"""Small random Promela models, for comparison with Spin.

    python3 random_model.py SEED    prints one

Values stay small, so that most state spaces are small. What Spin's verifier would end at
(an index out of range, a d_step that blocks inside) is not generated, nor what it takes
back in the wrong place: a receive into a variable that says which channel it is, or that
an eval() of the same receive asks about.
"""
import random
import re
import sys

HEAD = """\
mtype = { red, green };
mtype:tone = { low, high };
typedef T { byte a; bit f[2] };
byte g0, g1;
bit b0;
short s0 = -1;
byte arr[3];
T t;
"""
HIDDEN = "hidden byte h0, h1;\nhidden short ha[2];\nhidden byte table[2] = { 1, 2 };\nbyte my_v;\n"
PORTS = "typedef port { chan d = [1] of { byte }; byte n = 1 };\nport port0, port1, ports[2];\n"
LEVELS = """\
proctype L3() { %s%s%s }
proctype L2() { run L3() }
proctype L1() { byte x; %s }
proctype L0() { byte x; run L1(); x = 1 }
""".replace("%s%s%s }", "byte x; %s%s%s }")
NUMBERS = ["g0", "g1", "b0", "s0", "arr[%s]", "t.a", "t.f[%s]"]
LIMIT = {"g0": 3, "g1": 2, "b0": 2, "s0": 2, "arr": 2, "t.a": 2, "t.f": 2}


class Process:
    def __init__(self, name, parameter):
        self.name, self.parameter = name, parameter
        self.locals = ["x", "y"] + (["p"] if parameter else [])
        self.labels = 0
        self.open_labels = []
        self.has_door = self.has_port = False
        self.inner_labels = []  # of atomic sequences, which a goto may enter


class Model:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.p = None
        # What few models need, and what would drown the rest if all had it.
        self.has_channel_variables = self.chance(0.25)
        self.has_structs = self.chance(0.2)
        self.has_priorities = self.chance(0.1)
        self.has_last = self.chance(0.06)
        self.has_tones = self.chance(0.2)
        self.has_remote = self.chance(0.3)
        self.has_hidden = self.chance(0.15)
        if self.has_hidden:  # with either of these it is kept in the state
            self.has_priorities = False
        self.has_doors = self.chance(0.12)      # channels by parameter, of any number of fields
        self.has_large = self.chance(0.1)       # sorted sends of values that do not fit
        self.has_loop_labels = self.chance(0.15)
        self.has_levels = self.chance(0.1)      # run three levels deep
        self.has_ports = self.chance(0.1)       # structs, with a channel in them, given to run
        self.has_rendezvous_polls = self.chance(0.05)
        self.first = None       # the process with number 0, if it is known
        self.channels = self.make_channels()
        self.size = 0

    def chance(self, part):
        return self.r.random() < part

    def make_channels(self):
        """name -> (capacity, fields)"""
        found = {}
        for i in range(self.r.randint(1, 3)):
            fields = self.r.choice([["byte"], ["byte"], ["mtype", "byte"], ["mtype"],
                                    ["byte", "mtype", "byte"]])
            found["c%d" % i] = (self.r.choice([0, 0, 1, 1, 2]), fields)
        if self.chance(0.25):
            found["ca"] = (self.r.choice([0, 1]), ["byte"])
        if self.chance(0.15):
            found["cb"] = (self.r.choice([0, 1, 2]), self.r.choice([["mtype", "byte"], ["byte", "byte"]]))
        if self.has_tones:
            found["cm"] = (self.r.choice([0, 1]), self.r.choice([["mtype:tone"], ["byte", "mtype:tone"]]))
        if self.has_channel_variables:  # z is a variable of every process
            found["cv"] = (self.r.choice([0, 1, 2]), ["byte"])
            found["z"] = (1, ["byte"])
            if self.chance(0.5):
                found["cc"] = (self.r.choice([0, 1]), ["chan"])
        if self.has_large:
            found["cl"] = (self.r.choice([2, 3]), self.r.choice([["byte"], ["byte", "byte"]]))
        if self.has_doors:
            found["d1"] = (self.r.choice([0, 1, 2]), ["byte"])
            found["d2"] = (self.r.choice([0, 1, 2]), ["byte", "byte"])
        if self.has_structs:
            found["ct"] = (self.r.choice([0, 1, 2]), self.r.choice([["T"], ["byte", "T"]]))
        return found

    def of_bytes(self):
        """Channels that z may be."""
        return [n if n != "ca" else "ca[%d]" % self.r.randrange(2) for n, (_, fields) in sorted(self.channels.items())
                if fields == ["byte"] and n != "z"]

    # ---- expressions

    def index(self, length):
        return self.r.choice([str(self.r.randrange(length)), "%s %% %d" % (self.small(), length)])

    def small(self):
        """A variable whose value is never negative."""
        return self.r.choice(["g0", "g1", "b0", "t.a"] + self.p.locals)

    def number(self):
        name = self.r.choice(NUMBERS + self.p.locals * 2)
        if "%s" in name:
            name = name % self.index(3 if name.startswith("arr") else 2)
        return name

    def value(self, depth=1):
        k = self.r.random()
        if k < 0.35 or depth == 0:
            return str(self.r.randrange(3))
        if k < 0.75:
            return self.number()
        if k < 0.77 and self.has_remote and self.first:
            return self.remote()
        if k < 0.80:
            return "_last" if self.has_last and self.chance(0.6) else "_pid"
        if k < 0.84:
            return "len(%s)" % self.channel()[0]
        if k < 0.88:
            return "(%s -> %s : %s)" % (self.condition(depth - 1), self.value(0), self.value(0))
        return "(%s %s %s)" % (self.value(depth - 1), self.r.choice("+-*&|^"), self.value(depth - 1))

    def labels_of_first(self):
        """Spin does not know labels of the process that asks."""
        return [] if self.first is self.p else self.first.open_labels + self.first.inner_labels

    def remote(self):
        """Of process 0, which is there as long as any other one is."""
        if self.chance(0.6) and self.labels_of_first():
            return "%s%s@%s" % (self.first.name, self.r.choice(["[0]", "[0]", "[g1 - g1]"]),
                                self.r.choice(self.labels_of_first()))
        return "%s[0]:%s" % (self.first.name, self.r.choice(["x", "y"]))

    def condition(self, depth=1):
        k = self.r.random()
        if k < 0.62 or depth == 0:
            return "%s %s %s" % (self.value(depth), self.r.choice(["==", "!=", "<", "<=", ">", ">="]), self.value(0))
        if k < 0.74:
            return "(%s) %s (%s)" % (self.condition(depth - 1), self.r.choice(["&&", "||"]), self.condition(depth - 1))
        if k < 0.80:
            return "!(%s)" % self.condition(depth - 1)
        if k < 0.86:
            return "%s(%s)" % (self.r.choice(["empty", "nempty", "full", "nfull"]), self.channel()[0])
        if k < 0.90:
            name, capacity, fields = self.channel()
            if (capacity > 0 or self.has_rendezvous_polls) and name != "z" and fields[-1] in ("byte", "mtype", "mtype:tone"):
                return "%s%s[%s]" % (name, self.r.choice(["?", "??"]), self.pattern(fields, constant=True))
        if k < 0.94:
            return self.r.choice(["timeout", "_nr_pr > 1"])
        return self.r.choice(["true", "false", self.number()])

    def channel(self):
        name = self.r.choice(sorted(self.channels))
        capacity, fields = self.channels[name]
        return ("%s[%s]" % (name, self.index(2)) if name in ("ca", "cb") else name), capacity, fields

    @staticmethod
    def targets_in(text):
        return {v for v in ["g0", "x", "y", "t.a", "m", "w"] if re.search(r"\b%s\b" % re.escape(v), text)}

    def pattern(self, fields, constant=False, channel=""):
        """`channel`: what is received from; its variables are not received into, nor are those of
        an eval()."""
        out, used = [], self.targets_in(channel)
        for f in fields:
            if f in ("T", "chan"):
                out.append("t1" if f == "T" else "z")
                continue
            choices = ["red", "green", "eval(m)"] if f == "mtype" else ["low", "high", "eval(w)"] if f == "mtype:tone" \
                else ["0", "1", "2", "eval(%s)" % self.number(), "_"]
            if constant:
                choices = choices[:2]
            elif f == "mtype":
                choices += [v for v in ["m", "m"] if v not in used]
            elif f == "mtype:tone":
                choices += [v for v in ["w", "w"] if v not in used]
            else:
                choices += [v for v in ["g0", "x", "y", "t.a"] if v not in used] * 2
            one = self.r.choice(choices)
            if one.startswith("eval") and self.targets_in(one) & used:
                one = "0"
            out.append(one)
            used |= self.targets_in(one)
        return ",".join(out)

    # ---- statements

    def assignment(self):
        target = self.number()
        limit = LIMIT.get(target.split("[")[0], 2)
        k = self.r.random()
        if k < 0.5:
            return "%s = (%s + 1) %% %d" % (target, target, limit)
        if k < 0.6:
            return "%s = %d" % (target, self.r.randrange(limit))
        if k < 0.65 and not target.startswith("s0"):
            return "%s = !%s" % (target, target)
        if target.startswith("t.f"):  # a bit array: Spin's verifier would keep a negative remainder
            return "%s = (%s) & 1" % (target, self.value())
        return "%s = (%s) %% %d" % (target, self.value(), limit)

    def send(self):
        name, _, fields = self.channel()
        values = [self.r.choice(["red", "green", "m"]) if f == "mtype" else
                  self.r.choice(["low", "high", "w"]) if f == "mtype:tone" else
                  self.r.choice(["t", "t1"]) if f == "T" else
                  self.r.choice(["z"] + self.of_bytes()) if f == "chan" else
                  self.r.choice(["0", "1", "2", self.small()]) for f in fields]
        return "%s%s%s" % (name, self.r.choice(["!", "!", "!", "!!"]), ",".join(values))

    def receive(self):
        name, capacity, fields = self.channel()
        if capacity == 0 or name == "z" or fields[-1] in ("T", "chan"):
            return "%s?%s" % (name, self.pattern(fields, channel=name))
        shape = self.r.choice(["?%s", "?%s", "?%s", "??%s", "?<%s>", "??<%s>"])
        return name + shape % self.pattern(fields, channel=name)

    def hidden(self):
        """What is written to a hidden variable is read before anything else happens, so that Spin,
        which does not store it, has the same states."""
        h = self.r.choice(["h0", "h1", "ha[1]", "ha[g0 % 2]"])
        if h == "ha[g0 % 2]":
            return self.r.choice(["g1 = table[g0 % 2] % 2", "h0 = h0 + 1", "h0 = %s" % self.value(0)])
        return self.r.choice([
            "d_step { %s = %s; g0 = (%s + 1) %% 3 }" % (h, self.value(0), h),
            "atomic { %s = %s; %s = (%s + table[0]) %% 2 }" % (h, self.value(), self.r.choice(["g1", "b0"]), h),
            "atomic { (%s); %s = %s; g1 = %s %% 2; if :: %s == 1 -> skip :: else -> g0 = 0 fi }"
            % (self.condition(), h, self.value(0), h, h), "%s = %s" % (h, self.value(0)),
            "atomic { %s = g0; %s++; g0 = %s %% 3 }" % (h, h, h)])

    def loop_with_label(self):
        """A label in front of a for or a select; a goto to it, now and then."""
        self.p.labels += 1
        label = "F%d" % self.p.labels
        v = self.r.choice(["x", "y", "my_v"])
        head = self.r.choice(["for (%s : 0 .. %d) { %s }", "for (%s : 1 .. %d) { %s }",
                              "select(%s : 0 .. %d); %s", "select(%s : 1 .. 1 + %d); %s"])
        back = self.r.choice(["skip", "if :: g1 == 0 -> g1 = 1; goto %s :: else fi" % label,
                              "if :: g1 == 0 -> g1 = 1; goto %s :: g1 == 1 -> skip :: else fi" % label])
        return "%s: %s; %s" % (label, head % (v, self.r.randint(1, 2), self.assignment()), back)

    def through_door(self):
        """A message by parameter or variable, sometimes with a wrong number of fields."""
        n = self.r.choice([1, 1, 2, 2, 2])
        if self.chance(0.5):
            return "d!" + ",".join(self.r.choice(["0", "1", self.small()]) for _ in range(n))
        return "d?" + ",".join(["x", "y"][:n])

    def large(self):
        _, fields = self.channels["cl"]
        values = ",".join(self.r.choice(["300", "1", "299", "44", "45", "256", "g0 + 255", "-1"]) for _ in fields)
        return "cl!!" + values if self.chance(0.6) else "cl?" + self.r.choice(["g0", "_"]) + ",_" * (len(fields) - 1)

    def special(self):
        """What few models have, or None."""
        if self.has_hidden and self.chance(0.25):
            return self.hidden()
        if self.has_doors and self.p.has_door and self.chance(0.3):
            return self.through_door()
        if self.has_large and self.chance(0.25):
            return self.large()
        if self.has_ports and self.p.has_port and self.chance(0.35):
            return self.r.choice(["pt.d!1", "pt.d!pt.n", "pt.d?x", "pt.n = (pt.n + 1) % 3", "(pt.n > 0)", "port0.d?y",
                                  "port0.n = 1", "port0.d!2"])
        return None

    def simple(self):
        found = self.special()
        if found:
            return found
        k = self.r.random()
        if k < 0.45:
            return self.assignment()
        if k < 0.60:
            return self.send()
        if k < 0.75:
            return self.receive()
        if k < 0.83:
            return "(%s)" % self.condition()
        if k < 0.87:
            return "skip"
        if k < 0.90:
            return 'printf("%%d\\n", %s)' % self.number()
        if k < 0.92:
            return "assert(%s)" % self.condition()
        if k < 0.95 and self.p.open_labels:
            return "goto " + self.r.choice(self.p.open_labels + self.p.inner_labels)
        if k < 0.96 and self.has_channel_variables:
            return "z = " + self.r.choice(self.of_bytes())
        if k < 0.965 and self.has_structs:
            return self.r.choice(["t1.a = g0", "t1.f[g0 % 2] = b0", "t.a = t1.a % 2"])
        if self.has_priorities and self.chance(0.4):
            return "set_priority(%s, %d)" % (self.r.choice(["_pid", "0", "1"]), self.r.randint(1, 3))
        if k < 0.98 and self.runnable:
            name, parameter = self.r.choice(self.runnable)
            return self.run(name, parameter)
        if self.has_tones and self.chance(0.5):
            return "w = %s" % self.r.choice(["low", "high", "low", "high", "(m == red -> low : high)"])
        return "m = %s" % self.r.choice(["red", "green"])

    def run(self, name, parameter, value=None):
        arguments = [value or self.small()] if parameter else []
        if self.has_doors:
            arguments.append(self.r.choice(["d1", "d2"]))
        if self.has_ports:
            arguments.append(self.r.choice(["port0", "port1", "ports[1]"]))
        return "run %s(%s)" % (name, ", ".join(arguments))

    def guard(self):
        k = self.r.random()
        return self.receive() if k < 0.25 else self.send() if k < 0.4 else "(%s)" % self.condition() if k < 0.85 \
            else self.assignment()

    def options(self, depth, loop):
        out = []
        for _ in range(self.r.randint(1, 3)):
            first = self.guard() if self.chance(0.85) else self.compound(depth - 1, first=True)
            body = [first] + [self.statement(depth - 1) for _ in range(self.r.randint(0, 2))]
            if loop and self.chance(0.3):
                body.append("break")
            out.append(" :: " + "; ".join(body))
        k = self.r.random()
        if loop and (k < 0.4 or not any("break" in o for o in out)):
            out.insert(self.r.randrange(len(out) + 1), self.r.choice([" :: break", " :: else -> break"]))
        elif k < 0.5:
            out.append(" :: else" + self.r.choice(["", " -> " + self.statement(depth - 1)]))
        return "".join(out)

    def dstep(self):
        """The first may block, the others not."""
        parts = [self.r.choice([self.assignment(), "(%s)" % self.condition(), self.assignment(), self.small_loop(),
                                "if :: (%s) -> %s :: (%s) -> %s fi" % (self.condition(), self.assignment(),
                                                                      self.condition(), self.assignment())])]
        buffered = [n for n, (capacity, _) in sorted(self.channels.items()) if capacity > 0
                    and n not in ("ca", "cb", "z", "cc")]
        if buffered and self.chance(0.3):
            name = self.r.choice(buffered)
            parts[0] = "%s?%s" % (name, self.pattern(self.channels[name][1]))
        for _ in range(self.r.randint(0, 2)):
            parts.append(self.r.choice([
                self.assignment(), self.assignment(),
                "if :: (%s) -> %s :: else -> %s fi" % (self.condition(), self.assignment(), self.assignment()),
                "do :: y < 2 -> y++; %s :: else -> break od" % self.assignment(),
                self.small_loop(), self.small_send(buffered)]))
        return "d_step { %s }" % "; ".join(parts)

    def small_loop(self):
        """It ends, and does not block."""
        do = "do :: q < 2 -> q++; %s :: else -> break od; q = 0" % self.assignment().replace(";", "")
        choice = "if :: (%s) -> %s :: else fi" % (self.condition(), self.assignment())
        return self.r.choice([
            do, "q = 0; " + do, "do :: (%s) -> %s; break :: else -> break od" % (self.condition(), self.assignment()),
            "for (q : 0 .. %d) { %s }; q = 0" % (self.r.randint(0, 2), self.r.choice([choice, self.assignment()])),
            "do :: q < 2 -> q++; do :: (%s) -> break :: else -> %s; break od :: q == 2 -> q = 0; break od"
            % (self.condition(), choice)])

    def small_send(self, buffered):
        """A send that never finds the channel full."""
        if not buffered:
            return self.assignment()
        name = self.r.choice(buffered)
        values = [{"mtype": "m", "mtype:tone": "w", "T": "t"}.get(f, "1") for f in self.channels[name][1]]
        return "if :: nfull(%s) -> %s!%s :: full(%s) fi" % (name, name, ",".join(values), name)

    def escaped(self, depth):
        """An unless around more than a sequence, and with more than that after it."""
        first = "; ".join([self.guard()] + [self.statement(depth - 1) for _ in range(self.r.randint(0, 1))])
        main = self.r.choice([
            lambda: "{ %s }" % self.sequence(depth - 1, 1, 3), lambda: "{ %s }" % self.sequence(depth - 1, 1, 3),
            lambda: "atomic { %s }" % self.sequence(depth - 1, 1, 3), self.dstep,
            lambda: "do%s od" % self.options(depth - 1, True), lambda: "if%s fi" % self.options(depth - 1, False),
            lambda: "{ { %s } unless { %s } }" % (self.sequence(depth - 2, 1, 2), self.guard())])()
        escape = self.r.choice([
            lambda: "{ %s }" % first, lambda: "{ %s }" % first, lambda: "atomic { %s }" % first, self.dstep,
            lambda: "{ if%s fi }" % self.options(depth - 1, False),
            lambda: "{ { %s } unless { %s } }" % (first, self.guard())])()
        return "%s unless %s" % (main, escape)

    def sequence(self, depth, least=1, most=3):
        return "; ".join(self.statement(depth) for _ in range(self.r.randint(least, most)))

    def compound(self, depth, first=False):
        k = self.r.random()
        if k < 0.30 or depth <= 0:
            return "if%s fi" % self.options(max(depth, 1), False)
        if k < 0.45:
            return "do%s od" % self.options(depth, True)
        if k < 0.65:
            if self.chance(0.8) or first:
                return "atomic { %s }" % self.sequence(depth - 1, 1, 4)
            before = self.sequence(depth - 1, 1, 2)
            if self.chance(0.3):  # a label of this name in any number of blocks
                return "atomic { %s; S: %s; if :: g1 == 0 -> g1 = 1; goto S :: else fi }" % (before, self.assignment())
            self.p.labels += 1
            label = "I%d" % self.p.labels
            self.p.inner_labels.append(label)
            return "atomic { %s; %s: %s; %s }" % (before, label, self.assignment(), self.simple())
        if k < 0.78:
            return self.dstep()
        if k < 0.88 and not first:
            return "{ %s }" % self.escaped(depth) if self.chance(0.5) else self.escaped(depth)
        if k < 0.92:
            return "{ %s }" % self.sequence(depth - 1, 1, 2)
        if k < 0.95 and not first:
            self.size += 1
            return "{ byte z%d = %s; %s; g0 = z%d %% 3 }" % (self.size, self.value(0), self.simple(), self.size)
        if first:
            return "{ %s }" % self.sequence(0, 1, 2)
        return self.r.choice(["select(x : 0 .. %d)" % self.r.randint(1, 2),
                              "for (x : 0 .. 1) { %s }" % self.simple()])

    def statement(self, depth):
        if self.has_loop_labels and depth > 1 and self.chance(0.2):
            return self.loop_with_label()
        if depth <= 0 or self.chance(0.6):
            return self.simple()
        return self.compound(depth)

    def more_variables(self):
        out = "  T t1;\n" if self.has_structs else ""
        if self.has_tones:
            out += "  mtype:tone w = low;\n"
        if self.has_channel_variables:
            out += "  chan z;\n"
            if self.chance(0.5):  # the process's own; its number may outlive it
                out += self.r.choice(["  chan own = [%d] of { byte };\n  z = own;\n",
                                      "  chan own[2] = [%d] of { byte };\n  z = own[1];\n"]) % self.r.choice([0, 1])
            else:
                out += "  z = %s;\n" % self.r.choice(self.of_bytes())
        return out

    def parameters(self, parameter, passed):
        out = ["byte p"] if parameter else []
        if passed and self.has_doors:
            out.append("chan d")
        if passed and self.has_ports:
            out.append("port pt")
        return "; ".join(out)

    def body(self):
        lines = []
        for _ in range(self.r.randint(1, 4)):
            label = ""
            if self.chance(0.25):
                self.p.labels += 1
                label = self.r.choice(["L", "end", "progress"]) + str(self.p.labels)
                self.p.open_labels.append(label)
            text = self.statement(2)
            if label and text.startswith(("for", "select", "{ byte", "F")):
                text = "skip; " + text
            if label and " unless " in text:
                text = "{ %s }" % text
            lines.append("  " + (label + ": " if label else "") + text)
        return ";\n".join(lines)

    def text(self):
        out, self.runnable, started, any_active = [HEAD], [], [], False
        out.append(HIDDEN if self.has_hidden else "byte my_v;\n" if self.has_loop_labels else "")
        out.append(PORTS if self.has_ports else "")
        for name, (capacity, fields) in self.channels.items():
            if name == "z":
                continue
            out.append("chan %s = [%d] of { %s };\n" % (name + ("[2]" if name in ("ca", "cb") else ""), capacity,
                                                       ", ".join(fields)))
        for i in range(self.r.randint(1, 3)):
            parameter = self.chance(0.3)
            self.p = Process("P%d" % i, parameter)
            active = not parameter and self.chance(0.75)
            passed = not active and (self.has_doors or self.has_ports)
            self.p.has_door, self.p.has_port = passed and self.has_doors, passed and self.has_ports
            if active and not any_active:
                any_active, self.first = True, self.p
            extra = self.r.choice([" provided (g1 < 2)", " provided (g1 != _pid)"]) if self.chance(0.05) and not self.has_hidden else ""
            if active and self.has_priorities and self.chance(0.5):
                extra = " priority 2" + extra
            head = "%sproctype %s(%s)%s {\n  byte x, y, q;\n  mtype m = red;\n" % (
                "active%s " % self.r.choice(["", "", " [2]"]) if active else "", self.p.name,
                self.parameters(parameter, passed), extra)
            body = self.body()
            out.append(head + self.more_variables() + body + "\n}\n")
            if not active:
                started.append((self.p.name, parameter))
            if self.chance(0.3) and (passed or not self.has_doors and not self.has_ports):
                self.runnable = [(self.p.name, parameter)]
        if self.has_levels:
            out.append(LEVELS % (self.r.choice(["", "x = 1; "]), self.r.choice(["", "(g0 < 3); "]), self.r.choice(
                ["g0 = (g0 + 1) % 3", "g1 = 1 - g1 % 2", "s0++; s0--"]), self.r.choice(["run L2()", "run L2(); run L2()"])))
        if started or self.has_levels or self.chance(0.1):
            runs = [self.run(n, parameter, "1") for n, parameter in started] or ["skip"]
            if self.has_levels:
                runs.append("run L0()")
            self.runnable = []
            shape = self.r.choice(["%s", "atomic { %s }"])
            out.append("init {\n  " + shape % "; ".join(runs) + "\n}\n")
        if self.chance(0.04):
            out.append("init { g0 = (g0 + 1) % 3; skip }\n")
        return "".join(out)


if __name__ == "__main__":
    print(Model(int(sys.argv[1])).text())
