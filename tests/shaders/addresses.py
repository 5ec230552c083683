"""What the address of each load from device memory is made of.

A driver may run a load whose address is the same for all invocations of a subgroup although
none of them is active: behind a condition that is false, or behind the last turn of a loop.
Of each value of a shader this module finds out

  divergent  whether it may differ between the invocations of a subgroup. Where that is not
             certain the value counts as the same for all, which is the case that is checked.
  level      EXACT: right also where no invocation is active. PAST_END: comes from a loop's
             counter, which stands past the end behind the last turn. ANYTHING: was loaded
             through such a counter, or is what a subgroup operation or the search for
             a bit gives where there is none.
  bases      the addresses among the push constants that it is formed from, by their names.
"""
import collections

EXACT, PAST_END, ANYTHING = 0, 1, 2

# Built-in inputs that differ between the invocations of a subgroup.
DIVERGENT_INPUTS = {'LocalInvocationId', 'GlobalInvocationId', 'LocalInvocationIndex',
                    'SubgroupLocalInvocationId'}
BOUNDED_BY_ANY = {'UMin', 'SMin', 'OpBitwiseAnd'}  # no larger than the least of the operands
BIT_SEARCHES = {'FindILsb', 'FindUMsb', 'FindSMsb'}

Facts = collections.namedtuple('Facts', 'divergent level bases')
NOTHING = Facts(False, EXACT, frozenset())


def join(facts):
    """Of a value that may be any of these."""
    facts = list(facts)
    return Facts(any(fact.divergent for fact in facts), max((fact.level for fact in facts), default=EXACT),
                 frozenset().union(*(fact.bases for fact in facts)))


class Analysis:
    """Of the instructions of a shader, as spirv.read gives them."""

    def __init__(self, instructions):
        self.instructions = instructions
        self.by_id = {i.result: i for i in instructions if i.result}
        self.names = {}
        self.built_ins = {}
        self.loop_headers = set()
        for i in instructions:
            if i.op == 'OpMemberName':
                self.names[i.operands[0], int(i.operands[1])] = i.operands[2].strip('"')
            elif i.op == 'OpDecorate' and i.operands[1] == 'BuiltIn':
                self.built_ins[i.operands[0]] = i.operands[2]
            elif i.op == 'OpLoopMerge':
                self.loop_headers.add(i.block)
        self.stores = collections.defaultdict(list)
        for i in instructions:
            if i.op == 'OpStore':
                self.stores[self.variable_of(i.operands[0])].append(i.operands[1])
        self.facts = {}
        changed = True
        while changed:
            changed = False
            for i in instructions:
                if i.result and i.block:
                    found = self.find(i)
                    changed = changed or found != self.facts.get(i.result)
                    self.facts[i.result] = found

    def of(self, value):
        return self.facts.get(value, NOTHING)

    def variable_of(self, pointer):
        """The variable that a chain of accesses begins with, or the pointer itself."""
        while self.by_id[pointer].op in ('OpAccessChain', 'OpInBoundsAccessChain'):
            pointer = self.by_id[pointer].operands[1]
        return pointer

    def storage_of(self, pointer):
        """Function, Workgroup, PushConstant, PhysicalStorageBuffer …"""
        return self.by_id[self.by_id[pointer].operands[0]].operands[0]

    def is_zero(self, value):
        return self.by_id[value].op in ('OpConstant', 'OpConstantNull') and self.by_id[value].operands[1:] in ([], ['0'])

    def push_constant(self, pointer):
        """The name of the push constant that a chain of accesses reaches."""
        chain = self.by_id[pointer]
        kind = self.by_id[self.by_id[self.variable_of(pointer)].operands[0]].operands[1]
        name = []
        for index in chain.operands[2:] if chain.op == 'OpAccessChain' else []:
            if self.by_id[kind].op != 'OpTypeStruct':
                break
            number = int(self.by_id[index].operands[1])
            name.append(self.names[kind, number])
            kind = self.by_id[kind].operands[number]
        return '.'.join(name)

    def find(self, i):
        operands = [word for word in i.operands[1:]
                    if word.startswith('%') and self.by_id[word].op != 'OpExtInstImport']
        facts = join(self.of(word) for word in operands)
        if i.op == 'OpLoad':
            return self.find_load(i.operands[1])
        if i.op == 'OpPhi':
            # Of the pairs of values and blocks the values.
            facts = join(self.of(word) for word in i.operands[1::2])
            if i.block in self.loop_headers:
                facts = facts._replace(level=max(facts.level, PAST_END))
            return facts
        if i.op == 'OpSelect':
            chosen = self.of(operands[1]).bases | self.of(operands[2]).bases
            return facts._replace(bases=chosen - self.tested_for_null(operands[0]))
        if i.op == 'OpCompositeExtract':
            return self.find_member(i.operands[1], [int(index) for index in i.operands[2:]])
        name = i.operands[2] if i.op == 'OpExtInst' else i.op
        if name in BIT_SEARCHES:
            return facts._replace(level=ANYTHING)
        if name in BOUNDED_BY_ANY:
            return facts._replace(level=min(self.of(word).level for word in operands))
        if name == 'UClamp':
            return facts._replace(level=self.of(operands[-1]).level)
        if name == 'OpUMod':
            return facts._replace(level=self.of(operands[1]).level)
        if i.op.startswith('OpGroupNonUniform'):
            scans = 'ExclusiveScan' in i.operands or 'InclusiveScan' in i.operands or i.op.endswith('Elect')
            return Facts(scans, ANYTHING, frozenset())
        if i.op.startswith('OpAtomic') or i.op.startswith('OpImage'):
            return Facts(True, ANYTHING, frozenset())
        return facts

    def find_member(self, composite, indices):
        """Of a part of a struct or a vector."""
        i = self.by_id[composite]
        if i.op == 'OpCompositeConstruct' and len(i.operands) - 1 > indices[0] and len(indices) == 1:
            if self.by_id[i.operands[0]].op == 'OpTypeStruct':
                return self.of(i.operands[1 + indices[0]])
        facts = self.of(composite)
        kind = i.operands[0]
        for index in indices:
            if self.by_id[kind].op != 'OpTypeStruct' or (kind, index) not in self.names:
                break
            facts = facts._replace(bases=frozenset(f'{base}.{self.names[kind, index]}' for base in facts.bases))
            kind = self.by_id[kind].operands[index]
        return facts

    def find_load(self, pointer):
        storage = self.storage_of(pointer)
        variable = self.variable_of(pointer)
        address = self.of(pointer)
        if storage == 'Input':
            return Facts(self.built_ins.get(variable) in DIVERGENT_INPUTS, EXACT, frozenset())
        if storage == 'PushConstant':
            name = self.push_constant(pointer)
            return NOTHING._replace(bases=frozenset([name]))
        if storage in ('Function', 'Private'):
            stored = [self.of(value) for value in self.stores[variable]]
            found = join(stored)
            return found._replace(divergent=address.divergent or any(fact.divergent for fact in stored))
        level = EXACT if address.level == EXACT else ANYTHING
        return Facts(address.divergent, level, frozenset())

    def tested_for_null(self, condition):
        """The names of the addresses that a condition compares with null."""
        found = set()
        waiting = [condition]
        seen = set()
        while waiting:
            value = waiting.pop()
            if value in seen or value not in self.by_id:
                continue
            seen.add(value)
            i = self.by_id[value]
            if i.op in ('OpIEqual', 'OpINotEqual'):
                for one, other in (i.operands[1:3], i.operands[2:0:-1]):
                    if self.is_zero(other) and self.by_id[one].op == 'OpBitwiseOr':
                        found |= self.of(one).bases
            elif i.op.startswith('OpLogical') or i.op == 'OpCompositeConstruct':
                waiting += i.operands[1:]
            elif i.op == 'OpPhi':
                waiting += i.operands[1::2]
        return found

    def shared_loads(self):
        """Loads from device memory at an address that is the same for all of a subgroup."""
        return [i for i in self.instructions
                if i.op == 'OpLoad' and self.storage_of(i.operands[1]) == 'PhysicalStorageBuffer'
                and not self.of(i.operands[1]).divergent]

    def nullable(self):
        """The names of the addresses that are compared with null anywhere."""
        comparisons = [i.result for i in self.instructions if i.op in ('OpIEqual', 'OpINotEqual')]
        return frozenset().union(*(self.tested_for_null(value) for value in comparisons))

    def offences(self):
        """What is wrong with shared loads, a sentence for each kind."""
        found = set()
        nullable = self.nullable()
        for load in self.shared_loads():
            address = self.of(load.operands[1])
            through = ' + '.join(sorted(address.bases))
            if address.bases & nullable:
                found.add(f'a load through {through}, which is compared with null, and not chosen by readable()')
            if address.level == ANYTHING:
                found.add(f'a load through {through} at an index that is anything where no invocation is active')
        return sorted(found)
