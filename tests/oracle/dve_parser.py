"""The parser of the oracle: DVE text to processes whose expressions are Python text.

Read dve.py first. Expressions read a list s, the state: one number per variable,
array element and control location, and one tuple of messages per buffered channel.
"""
import re

KEYWORDS = {"byte", "int", "const", "channel", "process", "state", "init", "accept", "commit",
            "assert", "trans", "guard", "sync", "effect", "system", "async", "property", "true",
            "false", "not", "and", "or", "imply", "buchi"}
TOKEN = re.compile(r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
                     |(?P<number>\d+)|(?P<name>[A-Za-z_]\w*)
                     |(?P<sign>->|&&|\|\||==|!=|<=|>=|<<|>>|[-+*/%<>=!~&|^(){}\[\],;:.?])""",
                   re.X | re.S)
# Loosest first; all of a level are left-associative.
LEVELS = [["imply"], ["or", "||", "and", "&&"], ["|", "&", "^"], ["==", "!="],
          ["<", "<=", ">", ">="], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]


class Rejected(Exception):
    """The text is no model."""


class ModelError(Exception):
    """Index, division or shift: the event has no successor."""


# ---- values: 32-bit two's complement -------------------------------------------

def wrap(v):
    return (v + 2**31) % 2**32 - 2**31


def cut(kind, v):
    if kind == "byte":
        return v % 256
    return (v + 2**15) % 2**16 - 2**15 if kind == "int" else v


def div(a, b):
    if b == 0:
        raise ModelError("division by zero")
    return wrap(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1))


def mod(a, b):
    if b == 0:
        raise ModelError("division by zero")
    return wrap(abs(a) % abs(b) * (-1 if a < 0 else 1))


def shl(a, b):
    if not 0 <= b <= 31:
        raise ModelError("shift")
    return wrap(a << b)


def shr(a, b):
    if not 0 <= b <= 31:
        raise ModelError("shift")
    return a >> b


def at(i, n):
    if not 0 <= i < n:
        raise ModelError("index")
    return i


PLAIN = {"+": "wrap({}+{})", "-": "wrap({}-{})", "*": "wrap({}*{})", "/": "div({},{})",
         "%": "mod({},{})", "<<": "shl({},{})", ">>": "shr({},{})", "&": "({}&{})",
         "|": "({}|{})", "^": "({}^{})", "==": "int({}=={})", "!=": "int({}!={})",
         "<": "int({}<{})", "<=": "int({}<={})", ">": "int({}>{})", ">=": "int({}>={})",
         "and": "int({}!=0 and {}!=0)", "or": "int({}!=0 or {}!=0)",
         "imply": "int({}==0 or {}!=0)"}
PLAIN["&&"], PLAIN["||"] = PLAIN["and"], PLAIN["or"]


class Var:
    def __init__(self, kind, place, length, array, const):
        self.kind, self.place, self.length, self.array = kind, place, length, array
        self.const = const  # None, or the list of values


class Edge:
    def __init__(self, source, target):
        self.source, self.target = source, target
        self.guard, self.sync, self.values, self.effects = "1", None, [], []


class Process:
    def __init__(self, name, place):
        self.name, self.place = name, place  # place: of the location in the state
        self.vars, self.locations, self.edges = {}, [], []
        self.committed, self.asserts = set(), []


class Parser:
    """Parses twice: a process may be named before it is declared, so the first time
    only collects them."""

    def __init__(self, text):
        self.tokens, self.i = [], 0
        pos = 0
        while pos < len(text):
            m = TOKEN.match(text, pos)
            if not m:
                raise Rejected("character %r" % text[pos])
            pos = m.end()
            if m.lastgroup != "space":
                self.tokens.append((m.lastgroup, m.group()))
        self.tokens.append(("end", ""))
        self.known = None
        for _ in range(2):
            self.i, self.initial, self.globals, self.channels = 0, [], {}, {}
            self.process, self.property, self.processes = None, None, {}
            self.model()
            self.known = self.processes

    # -- tokens
    def peek(self, *wanted):
        return self.tokens[self.i][1] in wanted

    def take(self, *wanted):
        if self.peek(*wanted):
            self.i += 1
            return self.tokens[self.i - 1][1]
        return None

    def need(self, *wanted):
        got = self.take(*wanted)
        if got is None:
            raise Rejected("%r where %s was expected" % (self.tokens[self.i][1], wanted))
        return got

    def name(self):
        kind, text = self.tokens[self.i]
        if kind != "name" or text in KEYWORDS:
            raise Rejected("%r is no name" % text)
        self.i += 1
        return text

    def list(self, item):
        items = [item()]
        while self.take(","):
            items.append(item())
        return items

    # -- the model
    def model(self):
        while not self.take("system"):
            if self.take("channel"):
                self.channel_list()
            elif self.peek("const", "byte", "int"):
                self.variables(self.globals)
            else:
                self.one_process()
        self.synchronous = self.need("async", "sync") == "sync"
        if self.take("property"):
            self.property = self.name()
        self.need(";")
        if self.tokens[self.i][0] != "end":
            raise Rejected("text after the system line")

    def channel_list(self):
        types = None
        if self.take("{"):
            types = self.list(lambda: self.need("byte", "int"))
            self.need("}")

        def one():
            name, capacity = self.name(), 0
            if self.take("["):
                capacity = self.constant()
                self.need("]")
            place = len(self.initial)
            if capacity:
                self.initial.append(())
            self.channels[name] = (types, capacity, place)
        self.list(one)
        self.need(";")

    def constant(self):
        return eval(self.expr(), HELPERS)  # names of constants were replaced by their values

    def variables(self, scope):
        const = self.take("const")
        kind = self.need("byte", "int")

        def one():
            name, length, array, values = self.name(), 1, False, []
            if self.take("["):
                length, array = self.constant(), True
                self.need("]")
            if self.take("="):
                if self.take("{"):
                    values = self.list(self.constant)
                    self.need("}")
                else:
                    values = [self.constant()]
            values = [cut(kind, v) for v in values] + [0] * (length - len(values))
            scope[name] = Var(kind, len(self.initial), length, array, values if const else None)
            if not const:
                self.initial.extend(values)
        self.list(one)
        self.need(";")

    def one_process(self):
        self.need("process")
        name = self.name()
        p = self.process = self.processes[name] = Process(name, len(self.initial))
        self.initial.append(0)
        self.need("{")
        while self.peek("const", "byte", "int"):
            self.variables(p.vars)
        self.need("state")
        p.locations = self.list(self.name)
        self.need(";")
        while not self.peek("trans", "}"):
            word = self.need("init", "accept", "commit", "assert")
            if word == "init":
                self.initial[p.place] = p.locations.index(self.name())
            elif word == "commit":
                p.committed |= {p.locations.index(n) for n in self.list(self.name)}
            elif word == "accept":
                self.list(self.name)
            else:
                p.asserts += self.list(self.assertion)
            self.need(";")
        if self.take("trans"):
            source = [None]
            self.list(lambda: self.edge(p, source))
            self.need(";")
        self.need("}")
        self.process = None

    def assertion(self):
        where = self.process.locations.index(self.name())
        self.need(":")
        return (where, self.expr())

    def edge(self, p, source):
        if not self.peek("->"):
            source[0] = p.locations.index(self.name())
        self.need("->")
        e = Edge(source[0], p.locations.index(self.name()))
        self.need("{")
        if self.take("guard"):
            e.guard = self.expr()
            self.need(";")
        if self.take("sync"):
            channel = self.name()
            e.sync = (channel, self.need("!", "?"))
            item = self.expr if e.sync[1] == "!" else self.target
            if self.take("{"):
                e.values = self.list(item)
                self.need("}")
            elif not self.peek(";"):
                e.values = [item()]
            self.need(";")
        if self.take("effect"):
            def assignment():
                target = self.target()
                self.need("=")
                return target, self.expr()
            e.effects = self.list(assignment)
            self.need(";")
        self.need("}")
        p.edges.append(e)

    # -- expressions, as Python text over the list s
    def expr(self, level=0):
        if level == len(LEVELS):
            return self.unary()
        left = self.expr(level + 1)
        while True:
            op = self.take(*LEVELS[level])
            if not op:
                return left
            left = PLAIN[op].format(left, self.expr(level + 1))

    def unary(self):
        if self.take("-"):
            return "wrap(-%s)" % self.unary()
        if self.take("~"):
            return "(~%s)" % self.unary()
        if self.take("not", "!"):
            return "int(%s==0)" % self.unary()
        if self.take("("):
            inner = self.expr()
            self.need(")")
            return inner
        if self.take("true"):
            return "1"
        if self.take("false"):
            return "0"
        if self.tokens[self.i][0] == "number":
            self.i += 1
            return str(wrap(int(self.tokens[self.i - 1][1])))
        return self.reference()[0]

    def reference(self):
        name = self.name()
        p = self.process
        if self.peek("->", "."):
            arrow = self.need("->", ".")
            field = self.name()
            if self.known is None:
                if self.take("["):
                    self.expr()
                    self.need("]")
                return "0", ("int", 0, "0")
            other = self.known[name]
            if arrow == "." and field in other.locations:
                return "int(s[%d]==%d)" % (other.place, other.locations.index(field)), None
            var = other.vars[field]
        else:
            var = (p.vars if p else {}).get(name) or self.globals.get(name)
        if var is None:
            raise Rejected("unknown name %s" % name)
        index = "0"
        if var.array and self.take("["):
            index = "at(%s,%d)" % (self.expr(), var.length)
            self.need("]")
        if var.const is not None:
            return "%r[%s]" % (var.const, index), None
        return "s[%d+%s]" % (var.place, index), (var.kind, var.place, index)

    def target(self):
        target = self.reference()[1]
        if target is None:
            raise Rejected("cannot be assigned")
        return target


HELPERS = {"wrap": wrap, "div": div, "mod": mod, "shl": shl, "shr": shr, "at": at}
