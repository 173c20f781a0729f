"""From verified rules to a network: what is known of each setting, the required conditions, and a last test with config documents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from symparam.errors import ArchitectureError, ConfigError
from symparam.models.traced.config_keys import ROTARY, TOKEN, flat, settings_of
from symparam.models.traced.expressions import CannotEvaluateError, Expression, evaluate, keys_of, negated, parts, replaced
from symparam.models.traced.network import Key, ModuleRule, Network, RuleEntry, TensorRule, concrete_tensors, expressions_in
from symparam.models.traced.rows import COLUMN
from symparam.models.tracing.candidates import Instance
from symparam.models.tracing.failures import UnfitError
from symparam.models.tracing.never_together import Pair, apart
from symparam.models.tracing.observation import Observation
from symparam.models.tracing.repetitions import is_of
from symparam.models.tracing.rules import Rules
from symparam.models.tracing.sampling import about_an_item, has_item
from symparam.models.tracing.suggested_values import ANY_OTHER_WORD

MOST_CONDITIONS = 400


def assembled_network(
    name: str,
    origin: str,
    model_type: str,
    root: ModuleRule,
    observations: Sequence[Observation],
    fresh: Sequence[Observation],
    held: Iterable[str],
    aliases: Mapping[str, str],
    inner: Mapping[str, Mapping[str, object]],
    versions: Mapping[str, str],
    refused: Iterable[Pair] = (),
) -> Network:
    """The network; ``refused`` are pairs of settings that the class was seen to refuse. Raises `UnfitError` where documents would be read
    differently from the class.
    """
    base = observations[0]
    default = base.settings
    computed = {found for each in observations for found in each.met}
    held = set(held)
    seen = [each for each in (*observations, *fresh) if all(each.settings.get(path) == default.get(path) for path in held)]
    root = _exact_where_unseen(root, seen, computed)
    needed = {path for each in expressions_in(root) for path in keys_of(each)}
    decided = {part for each in expressions_in(root) for part in parts(each) if isinstance(part, tuple) and part[0] in ("times", "in")}
    conditions = [*_conditions(seen, decided), *apart(refused, seen), *_lengths(seen, needed)]
    of_sizes = needed
    needed = needed | {path for each in conditions for path in keys_of(each)}
    paths = dict.fromkeys(path for each in seen for path in each.settings)
    keys = {path: _key(path, seen, default, path in held, path in needed, path in of_sizes) for path in paths}
    for path, value in flat(base.documents[1] if len(base.documents) > 1 else {}):
        if path.endswith(".model_type") or (path not in keys and path not in aliases):
            keys[path] = Key(value)  # A property of the config that is not an attribute is only accepted at its default.
    keys = _with_follows(keys, seen, inner, needed)
    network = Network(name, origin, root, keys, tuple(conditions), (len(fresh), len(fresh)), aliases, inner, versions, model_type)
    for _ in range(6):
        wrong = _misread(network, seen, needed)
        if not wrong:
            return network
        for path, given in wrong:
            known = network.keys[path]
            changed = replace(known, status="held", values=()) if given else replace(known, follows="?")
            network = replace(network, keys={**network.keys, path: changed})
    raise UnfitError("the config, which the class reads in ways that are not understood", ())


def _to_exact(each: tuple[object, ...]) -> Expression | None:
    return ("exact", *(replaced(inner, _to_exact) for inner in each[1:])) if each[0] == "//" else None


def _exact_where_unseen(root: ModuleRule, seen: Sequence[Observation], computed: set[Expression]) -> ModuleRule:
    """The rules, with quotients restricted to multiples if no build was observed to round them, neither while computing nor
    by its result.
    """
    found = dict.fromkeys(part for each in expressions_in(root) for part in parts(each) if isinstance(part, tuple) and part[0] == "//")
    return _with_exact(root, [each for each in found if each not in computed], seen)


def _with_exact(root: ModuleRule, quotients: Sequence[tuple[object, ...]], seen: Sequence[Observation]) -> ModuleRule:
    """The rules with those of the quotients restricted to multiples that are multiples in all builds: all at once, or each half."""
    exact = root
    for quotient in quotients:
        exact = _guarded(exact, _exactly(quotient))
    if all(_right(exact, each.settings, each) for each in seen if quotients):
        return exact
    if len(quotients) == 1:
        return root
    middle = len(quotients) // 2
    return _with_exact(_with_exact(root, quotients[:middle], seen), quotients[middle:], seen)


def _exactly(quotient: tuple[object, ...]) -> Callable[[tuple[object, ...]], Expression | None]:
    return lambda each: ("exact", *quotient[1:]) if each == quotient else None


def _guarded(rule: ModuleRule, change: Callable[[tuple[object, ...]], Expression | None]) -> ModuleRule:
    """The rules with each expression changed, for instance quotients that were not observed to be rounded."""

    def of_entry(entry: RuleEntry) -> RuleEntry:
        content = entry.content
        inner: ModuleRule | TensorRule
        if isinstance(content, TensorRule):
            inner = TensorRule(tuple(replaced(each, change) for each in content.shape), content.tied_to)
        else:
            inner = _guarded(content, change)
        return RuleEntry(entry.name, inner, entry.condition, replaced(entry.count, change), entry.each)

    return ModuleRule(rule.kind, tuple(map(of_entry, rule.entries)))


def _key(path: str, seen: Sequence[Observation], default: Mapping[str, object], held: bool, needed: bool, of_sizes: bool) -> Key:
    value = default.get(path)
    values = [each.settings[path] for each in seen if path in each.settings]
    if not needed and not held and (ROTARY.search(path) or TOKEN.search(path)):
        return Key(value, "any")
    given = [each.moved[path] for each in seen if path in each.moved]
    varied = any(each != value for each in values)
    if held or not varied or path not in default:
        return Key(value)
    status = "free" if needed else "idle"
    nullable = any(each is None for each in values)
    if isinstance(value, list):
        items = sorted({each for one in values if isinstance(one, list) for each in one if isinstance(each, str)})
        numbers = [each for one in values if isinstance(one, list) for each in one if isinstance(each, (int, float))]
        if status == "idle" and not items and not any(_has_other_items(each, value) for each in given):
            return Key(value)  # It was longer or shorter alone, as the class itself has it with more or fewer layers.
        return Key(value, status, _least(numbers), nullable, tuple(items))
    if isinstance(value, str) and ANY_OTHER_WORD in values:
        return Key(value, status)
    if isinstance(value, str) and not any(type(each) in (int, float) for each in given):
        return Key(value, "held", values=tuple(sorted({each for each in values if isinstance(each, str) and each != value})))
    kept = [each.settings.get(path) == each.moved[path] for each in seen if each.moved.get(path) not in (None, 0)]
    if not given or not all(kept):  # Some classes compute a value of their own in place of the given one.
        return Key(value)
    amounts = [each for each in values if isinstance(each, (int, float)) and not isinstance(each, bool)]
    if of_sizes and type(value) is int:  # Fractions were only tried where they change nothing.
        amounts = [each for each in amounts if type(each) is int]
    if TOKEN.search(path):
        amounts.append(0)
    strings = tuple(sorted({each for each in values if isinstance(each, str) and each != value}))
    flags = tuple(each for each in (False, True) if value is None and any(one is each for one in values))
    return Key(value, status, _least(amounts), nullable, (*strings, *flags))


def _has_other_items(value: object, default: Sequence[object]) -> bool:
    """Whether it is a list that has something else than the default at some place of both."""
    return isinstance(value, list) and any(one != other for one, other in zip(value, default, strict=False))


def _conditions(seen: Sequence[Observation], decided: Collection[Expression]) -> list[Expression]:
    """The comparisons whose outcome was always the same, as required conditions; those are none that rules have ``decided``: of loops whose
    number of turns has a rule, and of the items of a list that has a rule for whether it holds a size.
    """
    outcomes: dict[Expression, set[bool]] = {}
    asked: list[set[Expression]] = []
    for each in seen:
        by_condition = [(about_an_item(condition), found) for condition, found in each.asked.items()]
        asked.append({condition for condition, _ in by_condition})
        for condition, found in by_condition:
            outcomes.setdefault(condition, set()).update(found)
    kept: list[Expression] = []
    rules: Rules | None = None
    for condition, found in outcomes.items():
        if len(found) > 1 or any(isinstance(each, tuple) and each[0] == "loop" for each in parts(condition)):
            continue
        if any(is_of(condition, each) if each[0] == "times" else _asks(condition, each) for each in decided):
            continue
        if not any(_varies(path, seen) for path in keys_of(condition)) or condition[1:2] == condition[2:]:
            continue
        insisted = condition if True in found else negated(condition)
        if _always(insisted, seen) or (insisted[0] == "==" and all(map(has_item, insisted[1:]))):  # Equal by chance, in a few builds.
            continue
        broken = [at for at, each in enumerate(seen) if _false(insisted, each.settings)]
        if broken:
            bits = [condition in each for each in asked]
            rules = rules or Rules(seen)
            try:
                guard = rules.condition(tuple((at, ()) for at in range(len(seen))), bits, "a condition")
            except UnfitError:
                continue
            if guard == insisted:
                continue  # It is only asked where it holds.
            insisted = ("or", negated(guard), insisted)
        kept.append(insisted)
    return list(dict.fromkeys(kept))[:MOST_CONDITIONS]


def _asks(condition: Expression, membership: Expression) -> bool:
    """Whether a comparison is one of those by which a class finds out whether a list holds a size."""
    if condition[0] not in ("==", "!=") or not (keys := keys_of(membership[1])):
        return False
    pairs = (condition[1:], condition[:0:-1])
    return any(isinstance(item, tuple) and item[:2] == ("item", membership[2]) and keys_of(size) == keys for item, size in pairs)


def _always(condition: Expression, seen: Sequence[Observation]) -> bool:
    """Whether the condition holds for every integer, such as divisibility by 1 or by itself."""
    remainder = condition[1] if condition[0] == "==" and condition[2] == 0 else None
    if isinstance(remainder, tuple) and remainder[0] == "%" and remainder[1] == remainder[2]:
        return True
    if not isinstance(remainder, tuple) or remainder[0] != "%" or remainder[2] != 1:
        return False
    if remainder[1][0] == "key":
        return all(isinstance(each.settings.get(remainder[1][1]), int) for each in seen)
    return remainder[1][0] not in ("/", "float")


def _varies(path: str, seen: Sequence[Observation]) -> bool:
    return any(each.settings.get(path) != seen[0].settings.get(path) for each in seen)


def _false(condition: Expression, settings: Mapping[str, object]) -> bool:
    try:
        return not evaluate(condition, settings)
    except CannotEvaluateError:
        return False


def _lengths(seen: Sequence[Observation], needed: set[str]) -> list[Expression]:
    """The lengths of the lists that determine sizes: constant, or given by a setting."""
    found: list[Expression] = []
    rules: Rules | None = None
    lists_of_rows: set[str] = set()
    for path in sorted(needed):
        if COLUMN in path and (outer := path.partition(COLUMN)[0]) in lists_of_rows:
            continue  # All columns of a list of rows are of one length.
        lists = [(at, each.settings[path]) for at, each in enumerate(seen) if isinstance(each.settings.get(path), list)]
        if not lists:
            continue
        lengths = {len(each) for _, each in lists}
        own = ("len", ("key", path))
        if COLUMN in path:
            lists_of_rows.add(outer)
        if len(lengths) == 1:
            found.append(("==", own, lengths.pop()))
            continue
        rules = rules or Rules(seen)
        same = rules.candidates.without(path, [len(each) for _, each in lists], [at for at, _ in lists])
        if same is not None:
            found.append(("==", own, same))
        elif 0 not in lengths:
            found.append((">=", own, 1))
    return found


def _with_follows(
    keys: dict[str, Key], seen: Sequence[Observation], inner: Mapping[str, Mapping[str, object]], needed: set[str]
) -> dict[str, Key]:
    """The keys, with rules for those that follow from others: they change although they were not set."""
    changing: dict[str, list[int]] = {}
    for path in keys:
        if path.endswith(".model_type") or keys[path].status == "any":
            continue
        absent = [at for at, each in enumerate(seen) if path not in each.moved and path in each.settings]
        if any(seen[at].settings[path] != _default(path, keys[path].default, seen[at].moved, inner) for at in absent):
            changing[path] = absent
    if not changing:
        return keys
    rules = Rules(seen, changing)
    found = dict(keys)
    for path, absent in changing.items():
        follows: Expression = "?"
        if path in needed:
            try:
                follows = _rule(rules, [(at, seen[at].settings[path]) for at in absent], path)
                # The config's own computations were not traced, so no rounding was observed.
                follows = "?" if _computed_cases(follows) else replaced(follows, _to_exact)
            except UnfitError:
                follows = "?"
        else:
            continue
        found[path] = replace(keys[path], follows=follows)
    return found


def _computed_cases(follows: Expression) -> bool:
    """Whether the rule distinguishes cases by something that the class computes; the config does not know that, so the fit is a
    coincidence.
    """
    cases = (each[1] for each in parts(follows) if isinstance(each, tuple) and each[0] == "if")
    inside = ({each[0] for each in parts(case) if isinstance(each, tuple)} for case in cases)
    return any(names & {"%", "//", "/", "*", "+", "-", "**"} and "at" not in names for names in inside)


def _default(path: str, default: object, moved: Mapping[str, object], inner: Mapping[str, Mapping[str, object]]) -> object:
    for config, values in inner.items():
        if path in values and any(each.startswith(f"{config}.") for each in moved):
            return values[path]
    return default


def _rule(rules: Rules, values: list[tuple[int, Any]], path: str) -> Expression:
    """A rule for the values of a setting in these builds."""
    instances = tuple((at, ()) for at, _ in values)
    if all(isinstance(value, int) and not isinstance(value, bool) for _, value in values):
        return rules.size(instances, tuple(value for _, value in values), path)
    if all(isinstance(value, list) for _, value in values):
        count = rules.size(instances, tuple(len(value) for _, value in values), path)
        spread = [((at, (number,)), item) for at, value in values for number, item in enumerate(value)]
        return ("list", count, _choice(rules, spread, path))
    return _choice(rules, [((at, ()), value) for at, value in values], path)


def _choice(rules: Rules, values: Sequence[tuple[Instance, Any]], path: str) -> Expression:
    """One of a few values, selected by conditions."""
    if all(isinstance(value, int) and not isinstance(value, bool) for _, value in values):
        return rules.size(tuple(instance for instance, _ in values), tuple(value for _, value in values), path)
    kinds = list(dict.fromkeys(value for _, value in values if not isinstance(value, (list, dict))))
    if len(kinds) > 4 or any(isinstance(value, (list, dict)) for _, value in values):
        raise UnfitError(path, ())
    instances = tuple(instance for instance, _ in values)
    found: Expression = kinds[-1]
    for kind in reversed(kinds[:-1]):
        condition = rules.condition(instances, [value == kind for _, value in values], path)
        found = ("if", condition, kind, found)
    return found


def _misread(network: Network, seen: Sequence[Observation], needed: set[str]) -> list[tuple[str, bool]]:
    """The keys that, given or left out in a document, lead to other settings by our reading than by the class's."""
    wrong: dict[tuple[str, bool], None] = {}
    for each in seen:
        for document in each.documents:
            try:
                settings = settings_of(network, document, "the config")
                given = {network.aliases.get(path, path) if path not in network.keys else path for path, _ in flat(document)}
                differ = [path for path in needed & settings.keys() if settings[path] != each.settings.get(path)]
                wrong |= dict.fromkeys((path, path in given) for path in differ)
                right = bool(differ) or _right(network.root, settings, each)
            except ConfigError:
                continue
            if not right:
                raise UnfitError("tensors at settings that were tried", ())
    return list(wrong)


def _right(root: ModuleRule, settings: Mapping[str, object], observation: Observation) -> bool:
    try:
        spelled = [(each.name, each.shape) for each in concrete_tensors(root, settings) if each.tied_to is None]
    except (CannotEvaluateError, ArchitectureError):
        return False
    return spelled == [(name, shape) for name, shape, tied in observation.tensors if tied is None]


def _least(numbers: Sequence[float]) -> float | None:
    """The smallest accepted number: the smallest one tried, and at most 1, since comparisons with 1 would have been seen."""
    least = min(1, *numbers) if numbers else None
    return float(least) if least is not None and any(isinstance(each, float) for each in numbers) else least
