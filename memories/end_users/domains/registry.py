"""The domains there are: every module of this package that declares a `DOMAIN`. A new one is one more file."""

import functools
import importlib
import pkgutil

from memories.end_users.domains.base import Domain


@functools.cache
def all_by_name() -> dict[str, Domain]:
    """Every domain by its name, in alphabetical order."""
    package = importlib.import_module(__name__.rpartition(".")[0])
    modules = pkgutil.iter_modules(package.__path__, prefix=f"{package.__name__}.")
    own = {__name__, f"{package.__name__}.base"}
    found = [importlib.import_module(module.name) for module in modules if not module.ispkg and module.name not in own]
    domains: list[Domain] = [module.DOMAIN for module in found if hasattr(module, "DOMAIN")]
    return {domain.name: domain for domain in sorted(domains, key=lambda domain: domain.name)}


def names() -> list[str]:
    return list(all_by_name())


def named(name: str) -> Domain | None:
    """The domain of that name; None where there is none (any more)."""
    return all_by_name().get(name)
