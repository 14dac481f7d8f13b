"""Whatever is done in whatever order, also while other work is under way, nothing goes wrong.

What goes wrong in Qt's slots and events, and in workers, fails the test that runs meanwhile.
"""

from random import Random

import pytest
from hands import LEFT, MIDDLE, RIGHT, click, drag, idle, wheel
from PySide6.QtCore import QPointF

from rigview.core.skinning import ASKED
from rigview.ui.actions import ACTIONS
from rigview.ui.dialogs.question import Question

# What asks for a file in a dialog of the system, leaves, or writes.
ASKING = {
    *("open_file", "open_in_tab", "compare", "load_clips", "import_notes", "draw_text"),
    *(
        "save_copy",
        "save_session",
        "save_notes",
        "movie",
        "turning_movie",
        "review_page",
        "review_folder",
        "close",
    ),
}
STEPS = 40


class Restless:
    """Somebody who does whatever comes to mind."""

    def __init__(self, hands, files, seed):
        self.hands, self.files, self.random = hands, files, Random(seed)
        self.state = hands.bench.state

    def act(self):
        """Do one thing."""
        wants = {
            self.open: 2,
            self.compare: 1,
            self.borrow: 1,
            self.command: 6,
            self.choose_finding: 4,
            self.fix: 2,
            self.touch_panes: 4,
            self.select: 3,
            self.turn: 2,
            self.scrub: 3,
            self.choose_methods: 2,
        }
        (wanted,) = self.random.choices(list(wants), list(wants.values()))
        wanted()
        idle(self.random.choice([0.0, 0.0, 0.02, 0.1]))
        if self.random.random() < 0.5:
            self.hands.close_dialogs()

    def open(self):
        self.hands.bench.open_path(self.random.choice(self.files))
        question = self.hands.dialog
        if isinstance(question, Question):
            answers = [b for b in question.buttons if not b.text().startswith("Save")]
            self.random.choice(answers).click()

    def compare(self):
        self.hands.bench.comparer.open(self.random.choice(self.files))

    def borrow(self):
        self.hands.bench.motions.borrow(self.random.choice(self.files))

    def command(self):
        rows = [row.id for row in ACTIONS if row.id not in ASKING]
        action = self.hands.window.commands.actions[self.random.choice(rows)]
        if action.isEnabled():
            action.trigger()

    def choose_finding(self):
        rows = self.hands.bench.checks.rows
        if rows:
            self.hands.bench.checks.choose(self.random.choice(rows).finding)

    def fix(self):
        buttons = [entry.button for entry in self.hands.bench.checks.rows]
        offered = [b for b in buttons if b.isVisible() and b.isEnabled()]
        if offered:
            self.random.choice(offered).click()

    def touch_panes(self):
        canvas = self.hands.canvas
        width, height = canvas.width(), canvas.height()
        at = QPointF(self.random.uniform(1, width - 1), self.random.uniform(1, height - 1))
        self.random.choice(
            [
                lambda: click(canvas, at),
                lambda: wheel(canvas, at, self.random.choice([-2, 1])),
                lambda: drag(
                    canvas,
                    at,
                    QPointF(width / 2, height / 2),
                    self.random.choice([LEFT, MIDDLE, RIGHT]),
                ),
            ]
        )()

    def select(self):
        if self.hands.rig is not None:
            self.state.update(joint=self.random.randrange(len(self.hands.rig.nodes)))

    def turn(self):
        joint = self.hands.state.joint
        if joint is not None:
            angles = tuple(self.random.uniform(-180, 180) for _ in range(3))
            self.state.update(trial={joint: angles})

    def scrub(self):
        ruler = self.hands.bench.timeline.ruler
        click(ruler, QPointF(self.random.uniform(0, ruler.width()), ruler.height() / 2))

    def choose_methods(self):
        count = self.random.randint(1, 4)
        methods = tuple(self.random.choice(list(ASKED)) for _ in range(count))
        self.state.update(methods=methods, pane=0)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("seed", range(2))
def test_nothing_goes_wrong_in_any_order(hands, samples, seed):
    files = [samples / "arm.glb", samples / "faulty_arm.glb", samples / "box.glb"]
    broken = sorted((samples / "broken").glob("*.glb"))
    somebody = Restless(hands, [*files, *broken[seed::9]], seed)
    hands.open(files[0])
    for _ in range(STEPS):
        somebody.act()
    hands.close_dialogs()
    hands.rest()
    # And all is still there: another file opens, is checked and is drawn.
    hands.open(files[0])
    somebody.open()
    hands.close_dialogs()
    hands.rest()
    assert hands.bench.checker.is_current
    assert hands.picture().std() > 5.0
