"""The template that a skeleton is to conform to: a shipped one, or one of a file."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from rigview.check.template_files import SUFFIX, read_template, shipped
from rigview.core.templates.making import TemplateError
from rigview.core.templates.template import Template
from rigview.core.text import count
from rigview.ui.dialogs.dialog import Dialog
from rigview.ui.widgets.controls import Button, Chooser
from rigview.ui.widgets.headings import Title
from rigview.ui.widgets.layout import column, down, fill, label, row
from rigview.ui.widgets.words import file_kinds, tr


class TemplateDialog(Dialog):
    """Asks for a template; `chosen` carries it, or None for that of the studio's settings.

    Parameters
    ----------
    present
        The template that was chosen before.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget, path: Path, present: Template | None) -> None:
        super().__init__(parent, "Conform to template")
        self._templates: list[Template | None] = [None, *shipped()]
        self.template = Chooser(["None but the studio's"], "Template")
        for template in self._templates[1:]:
            self.template.addItem(_title(template))
        if present is not None:
            self._choose(present)
        self.template.currentIndexChanged.connect(self._tell)
        self.facts = label("", "text2", wrap=True)
        self.fault = label("", "warning", wrap=True)
        self.fault.hide()
        browse = Button("Browse…", "folder-open", tip="Choose a .skel.toml file", height=28)
        browse.clicked.connect(self._browse)
        self.browse = browse
        cancel = Button("Cancel", height=28)
        cancel.clicked.connect(self.reject)
        self.conform = Button("Check against it", "", "primary", height=28)
        self.conform.clicked.connect(self._accept)
        foot = row(None, browse, cancel, self.conform, margins=(14, 10, 14, 12), spacing=8)
        fill(foot, "background2")
        words = tr(
            "{file} is checked against the skeleton that is chosen here, by the rules TPL-*.",
            file=path.name,
        )
        lines = (label(words, "text2", wrap=True), self.template, self.facts, self.fault)
        body = column(*lines, margins=(16, 14, 16, 14), spacing=8)
        down(self, Title("Conform to template"), (body, 1), foot)
        self.setMinimumWidth(480)
        self.conform.setDefault(True)
        self._tell()

    def _choose(self, template: Template) -> None:
        """Choose a template, which joins the list if it is not there."""
        if template not in self._templates:
            self._templates.append(template)
            self.template.addItem(_title(template))
        self.template.setCurrentIndex(self._templates.index(template))

    def _tell(self) -> None:
        template = self._templates[self.template.currentIndex()]
        words = ""
        if template is not None:
            required = sum(joint.required for joint in template.joints)
            joints = count(len(template.joints), "joint")
            words = tr("{joints}, {required} of them required.", joints=joints, required=required)
        self.facts.setText(words)
        self.facts.setToolTip("" if template is None else template.source)
        self.fault.hide()

    def _browse(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, tr("Choose a template"), "", file_kinds({"Templates": f"*{SUFFIX} *.toml"})
        )
        if not name:
            return
        try:
            self._choose(read_template(Path(name)))
        except TemplateError as error:
            self.fault.setText(str(error))
            self.fault.show()

    def _accept(self) -> None:
        self.chosen.emit(self._templates[self.template.currentIndex()])
        self.accept()


def _title(template: Template | None) -> str:
    return "" if template is None else template.title or template.name
