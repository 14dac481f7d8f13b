"""Values that are made when they are first asked for."""

from collections.abc import Callable, Iterator, Mapping
from threading import Lock
from typing import Generic, TypeVar, cast

from rigview.core.arrays import FloatArray, Shape, check_shape, frozen

_Value = TypeVar("_Value")


class Lazy(Generic[_Value]):
    """A value that is made when it is first asked for, by any thread, and kept."""

    def __init__(self, make: Callable[[], _Value]) -> None:
        self._make: Callable[[], _Value] | None = make
        self._made: _Value
        self._making = Lock()

    @property
    def is_made(self) -> bool:
        """Whether it can be had without waiting."""
        return self._make is None

    @property
    def value(self) -> _Value:
        """What is made."""
        if self._make is not None:
            with self._making:
                if self._make is not None:
                    self._made = self._make()
                    # What it was made of is not needed any more.
                    self._make = None
        return self._made

    def __getstate__(self) -> dict[str, object]:
        # Another process gets what is made, not what makes it.
        self.value  # noqa: B018 - made once
        return {name: part for name, part in vars(self).items() if name != "_making"}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(state, _making=Lock())


class LazyArray(Lazy[FloatArray]):
    """A read-only array of a known shape whose numbers are made when they are first asked for."""

    def __init__(self, shape: tuple[int, ...], make: Callable[[], FloatArray]) -> None:
        super().__init__(lambda: frozen("an array made later", make(), shape))
        self.shape = shape


def made(stated: FloatArray | LazyArray) -> FloatArray:
    """Return an array, made now if it was to be made later."""
    return stated.value if isinstance(stated, LazyArray) else stated


class LazyArrays(Mapping[int, FloatArray]):
    """Arrays by number, of which some are made when they are first asked for.

    Attributes
    ----------
    stated
        The arrays, and what makes those that are not made yet.
    """

    def __init__(self, stated: Mapping[int, FloatArray | LazyArray]) -> None:
        self.stated = stated

    @classmethod
    def of(cls, name: str, arrays: Mapping[int, FloatArray], shape: Shape) -> "LazyArrays":
        """Return arrays as read-only ones; those that are not computed yet stay so.

        Raises
        ------
        ValueError
            If one is of another shape.
        """
        stated = arrays.stated if isinstance(arrays, LazyArrays) else arrays
        return cls({n: _checked(f"{name}[{n}]", array, shape) for n, array in stated.items()})

    def __getitem__(self, number: int) -> FloatArray:
        return made(self.stated[number])

    def __iter__(self) -> Iterator[int]:
        return iter(self.stated)

    def __len__(self) -> int:
        return len(self.stated)


class ArrayField(Generic[_Value]):
    """A field of a frozen dataclass that takes an array or a `LazyArray`, and reads as the array.

    Parameters
    ----------
    default
        What stands for an array that is not given; without it one must be.
    """

    def __init__(self, *default: _Value) -> None:
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, holder: object | None, owner: type) -> _Value:
        if holder is None:
            # So a dataclass learns whether there is a default.
            if not self._default:
                raise AttributeError(self._name)
            return self._default[0]
        stated = vars(holder)[self._name]
        return cast("_Value", stated.value if isinstance(stated, LazyArray) else stated)

    def __set__(self, holder: object, stated: _Value | LazyArray) -> None:
        vars(holder)[self._name] = stated


def check_fields(holder: object, shapes: dict[str, Shape]) -> None:
    """Freeze the arrays in such fields, and check their shapes without making any.

    Raises
    ------
    ValueError
        If one is of another shape.
    """
    stated = vars(holder)
    for name, shape in shapes.items():
        if stated[name] is not None:
            stated[name] = _checked(name, stated[name], shape)


def _checked(name: str, stated: FloatArray | LazyArray, shape: Shape) -> FloatArray | LazyArray:
    """Return an array frozen, or one that is made later as it is, if its shape is the wanted one."""
    if isinstance(stated, LazyArray):
        check_shape(name, stated.shape, shape)
        return stated
    return frozen(name, stated, shape)


def shape_of(holder: object, name: str) -> tuple[int, ...]:
    """Return the shape of the array in such a field without making it."""
    shape: tuple[int, ...] = vars(holder)[name].shape
    return shape
