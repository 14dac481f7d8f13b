<?xml version='1.0' encoding='utf-8'?>
<TS version="2.1" language="de" sourcelanguage="en">
  <context>
    <name>rigview</name>
    <message>
      <source>File</source>
      <translation>Datei</translation>
    </message>
    <message>
      <source>Open…</source>
      <translation>Öffnen…</translation>
    </message>
    <message>
      <source>Open in new tab…</source>
      <translation>In neuem Reiter öffnen…</translation>
    </message>
    <message>
      <source>Reload</source>
      <translation>Neu laden</translation>
    </message>
    <message>
      <source>Unit and axes…</source>
      <translation>Einheit und Achsen…</translation>
    </message>
    <message>
      <source>Compare with…</source>
      <translation>Vergleichen mit…</translation>
    </message>
    <message>
      <source>Save repaired copy…</source>
      <translation>Reparierte Kopie sichern…</translation>
    </message>
    <message>
      <source>Save session…</source>
      <translation>Sitzung sichern…</translation>
    </message>
    <message>
      <source>Bring back what was open</source>
      <translation>Zurückholen, was offen war</translation>
    </message>
    <message>
      <source>Export picture or turntable…</source>
      <translation>Bild oder Drehteller exportieren…</translation>
    </message>
    <message>
      <source>Export movie…</source>
      <translation>Film exportieren…</translation>
    </message>
    <message>
      <source>Export turning movie…</source>
      <translation>Film mit Drehung exportieren…</translation>
    </message>
    <message>
      <source>Export review page…</source>
      <translation>Seite zur Durchsicht exportieren…</translation>
    </message>
    <message>
      <source>Export review folder…</source>
      <translation>Ordner zur Durchsicht exportieren…</translation>
    </message>
    <message>
      <source>Next rig</source>
      <translation>Nächstes Rig</translation>
    </message>
    <message>
      <source>Previous rig</source>
      <translation>Voriges Rig</translation>
    </message>
    <message>
      <source>Close rig</source>
      <translation>Rig schließen</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>Beenden</translation>
    </message>
    <message>
      <source>Edit</source>
      <translation>Bearbeiten</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>Rückgängig</translation>
    </message>
    <message>
      <source>Redo</source>
      <translation>Wiederholen</translation>
    </message>
    <message>
      <source>Preferences…</source>
      <translation>Einstellungen…</translation>
    </message>
    <message>
      <source>History…</source>
      <translation>Verlauf…</translation>
    </message>
    <message>
      <source>Search joints</source>
      <translation>Gelenke suchen</translation>
    </message>
    <message>
      <source>Select nothing</source>
      <translation>Nichts auswählen</translation>
    </message>
    <message>
      <source>Copy the joint's name</source>
      <translation>Name des Gelenks kopieren</translation>
    </message>
    <message>
      <source>View</source>
      <translation>Ansicht</translation>
    </message>
    <message>
      <source>Frame selected</source>
      <translation>Auswahl ins Bild</translation>
    </message>
    <message>
      <source>Frame all</source>
      <translation>Alles ins Bild</translation>
    </message>
    <message>
      <source>Look from</source>
      <translation>Blick von</translation>
    </message>
    <message>
      <source>Front</source>
      <translation>Vorn</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>Hinten</translation>
    </message>
    <message>
      <source>Right</source>
      <translation>Rechts</translation>
    </message>
    <message>
      <source>Left</source>
      <translation>Links</translation>
    </message>
    <message>
      <source>Top</source>
      <translation>Oben</translation>
    </message>
    <message>
      <source>Link this pane's camera</source>
      <translation>Kamera dieser Ansicht mit den anderen verbinden</translation>
    </message>
    <message>
      <source>Worst pose</source>
      <translation>Schlimmste Pose</translation>
    </message>
    <message>
      <source>Next worst pose</source>
      <translation>Nächste schlimmste Pose</translation>
    </message>
    <message>
      <source>Worst pose before</source>
      <translation>Vorige schlimmste Pose</translation>
    </message>
    <message>
      <source>View before the worst pose</source>
      <translation>Ansicht vor der schlimmsten Pose</translation>
    </message>
    <message>
      <source>Strip of worst poses</source>
      <translation>Leiste der schlimmsten Posen</translation>
    </message>
    <message>
      <source>Orthographic</source>
      <translation>Orthografisch</translation>
    </message>
    <message>
      <source>Textured</source>
      <translation>Textur</translation>
    </message>
    <message>
      <source>Clay</source>
      <translation>Ton</translation>
    </message>
    <message>
      <source>Weights</source>
      <translation>Gewichte</translation>
    </message>
    <message>
      <source>Weights of all joints</source>
      <translation>Gewichte aller Gelenke</translation>
    </message>
    <message>
      <source>Joints</source>
      <translation>Gelenke</translation>
    </message>
    <message>
      <source>Number of influences</source>
      <translation>Anzahl der Einflüsse</translation>
    </message>
    <message>
      <source>Influences</source>
      <translation>Einflüsse</translation>
    </message>
    <message>
      <source>Compensation mask</source>
      <translation>Ausgleichsmaske</translation>
    </message>
    <message>
      <source>Difference to the first pane</source>
      <translation>Unterschied zum ersten Feld</translation>
    </message>
    <message>
      <source>Difference</source>
      <translation>Unterschied</translation>
    </message>
    <message>
      <source>First pane textured beside clay</source>
      <translation>Erstes Feld mit Texturen, die übrigen in Ton</translation>
    </message>
    <message>
      <source>Weights as in the file, not normalised</source>
      <translation>Gewichte wie in der Datei, nicht normiert</translation>
    </message>
    <message>
      <source>Heat of a measure</source>
      <translation>Wärmefarben eines Maßes</translation>
    </message>
    <message>
      <source>Heat</source>
      <translation>Wärme</translation>
    </message>
    <message>
      <source>Overlays</source>
      <translation>Überlagerungen</translation>
    </message>
    <message>
      <source>Bones</source>
      <translation>Knochen</translation>
    </message>
    <message>
      <source>Bones as sticks</source>
      <translation>Knochen als Stäbe</translation>
    </message>
    <message>
      <source>X-ray</source>
      <translation>Röntgen</translation>
    </message>
    <message>
      <source>Wireframe</source>
      <translation>Drahtgitter</translation>
    </message>
    <message>
      <source>Joint axes</source>
      <translation>Gelenkachsen</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>Namen</translation>
    </message>
    <message>
      <source>Grid</source>
      <translation>Raster</translation>
    </message>
    <message>
      <source>Shadow on the ground</source>
      <translation>Schatten auf dem Boden</translation>
    </message>
    <message>
      <source>Ghost of the rest pose</source>
      <translation>Schatten der Ruhepose</translation>
    </message>
    <message>
      <source>Ghost of the bind pose</source>
      <translation>Schatten der Bindepose</translation>
    </message>
    <message>
      <source>Root trail</source>
      <translation>Spur der Wurzel</translation>
    </message>
    <message>
      <source>Box of the bind pose, for culling</source>
      <translation>Quader der Bindepose, zum Ausblenden</translation>
    </message>
    <message>
      <source>Hide mesh</source>
      <translation>Netz ausblenden</translation>
    </message>
    <message>
      <source>Show only this mesh</source>
      <translation>Nur dieses Netz zeigen</translation>
    </message>
    <message>
      <source>Show all meshes</source>
      <translation>Alle Netze zeigen</translation>
    </message>
    <message>
      <source>Rig</source>
      <translation>Rig</translation>
    </message>
    <message>
      <source>Play</source>
      <translation>Abspielen</translation>
    </message>
    <message>
      <source>Next frame</source>
      <translation>Nächstes Bild</translation>
    </message>
    <message>
      <source>Previous frame</source>
      <translation>Voriges Bild</translation>
    </message>
    <message>
      <source>Ten frames on</source>
      <translation>Zehn Bilder weiter</translation>
    </message>
    <message>
      <source>Ten frames back</source>
      <translation>Zehn Bilder zurück</translation>
    </message>
    <message>
      <source>A tenth of a frame on</source>
      <translation>Ein Zehntelbild weiter</translation>
    </message>
    <message>
      <source>A tenth of a frame back</source>
      <translation>Ein Zehntelbild zurück</translation>
    </message>
    <message>
      <source>Next key</source>
      <translation>Nächster Schlüssel</translation>
    </message>
    <message>
      <source>Previous key</source>
      <translation>Voriger Schlüssel</translation>
    </message>
    <message>
      <source>First frame</source>
      <translation>Erstes Bild</translation>
    </message>
    <message>
      <source>Last frame</source>
      <translation>Letztes Bild</translation>
    </message>
    <message>
      <source>Play from here</source>
      <translation>Ab hier abspielen</translation>
    </message>
    <message>
      <source>Play up to here</source>
      <translation>Bis hier abspielen</translation>
    </message>
    <message>
      <source>Play the whole clip</source>
      <translation>Den ganzen Clip abspielen</translation>
    </message>
    <message>
      <source>Load clips from…</source>
      <translation>Clips laden aus…</translation>
    </message>
    <message>
      <source>Retarget motion…</source>
      <translation>Bewegung übertragen…</translation>
    </message>
    <message>
      <source>Add a range of motion</source>
      <translation>Bewegungsumfang hinzufügen</translation>
    </message>
    <message>
      <source>Rotate the joint</source>
      <translation>Das Gelenk drehen</translation>
    </message>
    <message>
      <source>Paint compensation mask</source>
      <translation>Ausgleichsmaske malen</translation>
    </message>
    <message>
      <source>Fit compensation mask to flesh</source>
      <translation>Ausgleichsmaske an Fleisch anpassen</translation>
    </message>
    <message>
      <source>Check again</source>
      <translation>Erneut prüfen</translation>
    </message>
    <message>
      <source>Fix all exact</source>
      <translation>Alles Exakte beheben</translation>
    </message>
    <message>
      <source>Conform to template…</source>
      <translation>An Vorlage anpassen…</translation>
    </message>
    <message>
      <source>Studio settings</source>
      <translation>Vorgaben des Studios</translation>
    </message>
    <message>
      <source>Add pose to worst poses</source>
      <translation>Pose zu den schlimmsten fügen</translation>
    </message>
    <message>
      <source>Take trial pose back</source>
      <translation>Probepose zurücknehmen</translation>
    </message>
    <message>
      <source>Table of vertices</source>
      <translation>Tabelle der Punkte</translation>
    </message>
    <message>
      <source>Choose all of the joint</source>
      <translation>Alle des Gelenks wählen</translation>
    </message>
    <message>
      <source>Choose by weight…</source>
      <translation>Nach Gewicht wählen…</translation>
    </message>
    <message>
      <source>Choose whole shells</source>
      <translation>Ganze Schalen wählen</translation>
    </message>
    <message>
      <source>Choose a ring more</source>
      <translation>Einen Ring mehr wählen</translation>
    </message>
    <message>
      <source>Choose a ring less</source>
      <translation>Einen Ring weniger wählen</translation>
    </message>
    <message>
      <source>Choose with a lasso</source>
      <translation>Mit dem Lasso wählen</translation>
    </message>
    <message>
      <source>Select joints by a drag</source>
      <translation>Gelenke durch Ziehen auswählen</translation>
    </message>
    <message>
      <source>Lock the joint</source>
      <translation>Gelenk sperren</translation>
    </message>
    <message>
      <source>Lock all other joints</source>
      <translation>Alle anderen Gelenke sperren</translation>
    </message>
    <message>
      <source>Unlock all joints</source>
      <translation>Alle Gelenke entsperren</translation>
    </message>
    <message>
      <source>Paint weights, or the mask where it is shown</source>
      <translation>Gewichte malen, oder die Maske, wo sie gezeigt wird</translation>
    </message>
    <message>
      <source>Flood with the brush</source>
      <translation>Mit dem Pinsel fluten</translation>
    </message>
    <message>
      <source>Smooth</source>
      <translation>Glätten</translation>
    </message>
    <message>
      <source>Fill by geodesic voxels</source>
      <translation>Mit geodätischen Voxeln füllen</translation>
    </message>
    <message>
      <source>Hammer: take the mean of the ring</source>
      <translation>Hämmern: Mittel des Rings nehmen</translation>
    </message>
    <message>
      <source>Mirror left to right</source>
      <translation>Von links nach rechts spiegeln</translation>
    </message>
    <message>
      <source>Mirror right to left</source>
      <translation>Von rechts nach links spiegeln</translation>
    </message>
    <message>
      <source>Normalise</source>
      <translation>Normieren</translation>
    </message>
    <message>
      <source>Prune below 0.01</source>
      <translation>Unter 0,01 stutzen</translation>
    </message>
    <message>
      <source>Keep the 4 largest</source>
      <translation>Die 4 größten behalten</translation>
    </message>
    <message>
      <source>Review</source>
      <translation>Review</translation>
    </message>
    <message>
      <source>Add note</source>
      <translation>Notiz hinzufügen</translation>
    </message>
    <message>
      <source>Next note</source>
      <translation>Nächste Notiz</translation>
    </message>
    <message>
      <source>Previous note</source>
      <translation>Vorige Notiz</translation>
    </message>
    <message>
      <source>Delete note</source>
      <translation>Notiz löschen</translation>
    </message>
    <message>
      <source>Draw: arrow</source>
      <translation>Zeichnen: Pfeil</translation>
    </message>
    <message>
      <source>Draw: line</source>
      <translation>Zeichnen: Linie</translation>
    </message>
    <message>
      <source>Draw: box</source>
      <translation>Zeichnen: Rechteck</translation>
    </message>
    <message>
      <source>Draw: free hand</source>
      <translation>Zeichnen: freihändig</translation>
    </message>
    <message>
      <source>Draw: text</source>
      <translation>Zeichnen: Text</translation>
    </message>
    <message>
      <source>Import notes…</source>
      <translation>Notizen importieren…</translation>
    </message>
    <message>
      <source>Save notes</source>
      <translation>Notizen speichern</translation>
    </message>
    <message>
      <source>Copy notes as text for an e-mail</source>
      <translation>Notizen als Text für eine E-Mail kopieren</translation>
    </message>
    <message>
      <source>Help</source>
      <translation>Hilfe</translation>
    </message>
    <message>
      <source>Find an action, joint, clip or finding…</source>
      <translation>Befehl, Gelenk, Clip oder Befund finden…</translation>
    </message>
    <message>
      <source>Keys and mouse</source>
      <translation>Tasten und Maus</translation>
    </message>
    <message>
      <source>Change keys…</source>
      <translation>Tasten ändern…</translation>
    </message>
    <message>
      <source>Next region</source>
      <translation>Nächster Bereich</translation>
    </message>
    <message>
      <source>About rigview</source>
      <translation>Über rigview</translation>
    </message>
    <message>
      <source>Rotation</source>
      <translation>Drehung</translation>
    </message>
    <message>
      <source>Translation</source>
      <translation>Verschiebung</translation>
    </message>
    <message>
      <source>Scale</source>
      <translation>Skalierung</translation>
    </message>
    <message>
      <source>Deltas</source>
      <translation>Abweichungen</translation>
    </message>
    <message>
      <source>Length</source>
      <translation>Länge</translation>
    </message>
    <message>
      <source>Volume</source>
      <translation>Volumen</translation>
    </message>
    <message>
      <source>Bulge</source>
      <translation>Wölbung</translation>
    </message>
    <message>
      <source>Stretch</source>
      <translation>Dehnung</translation>
    </message>
    <message>
      <source>Joint</source>
      <translation>Gelenk</translation>
    </message>
    <message>
      <source>Collapse</source>
      <translation>Einfall</translation>
    </message>
    <message>
      <source>Local volume</source>
      <translation>Volumen vor Ort</translation>
    </message>
    <message>
      <source>Compression</source>
      <translation>Stauchung</translation>
    </message>
    <message>
      <source>Area</source>
      <translation>Fläche</translation>
    </message>
    <message>
      <source>Flipped faces</source>
      <translation>Umgeklappte Flächen</translation>
    </message>
    <message>
      <source>Self-intersection</source>
      <translation>Selbstdurchdringung</translation>
    </message>
    <message>
      <source>Normal error</source>
      <translation>Normalenfehler</translation>
    </message>
    <message>
      <source>Window</source>
      <translation>Fenster</translation>
    </message>
    <message>
      <source>Colours</source>
      <translation>Farben</translation>
    </message>
    <message>
      <source>Dark</source>
      <translation>Dunkel</translation>
    </message>
    <message>
      <source>Light</source>
      <translation>Hell</translation>
    </message>
    <message>
      <source>As the desktop</source>
      <translation>Wie der Schreibtisch</translation>
    </message>
    <message>
      <source>Keys as in</source>
      <translation>Tasten wie in</translation>
    </message>
    <message>
      <source>Mouse as in</source>
      <translation>Maus wie in</translation>
    </message>
    <message>
      <source>Language</source>
      <translation>Sprache</translation>
    </message>
    <message>
      <source>Counts at the next start.</source>
      <translation>Gilt ab dem nächsten Start.</translation>
    </message>
    <message>
      <source>Lengths</source>
      <translation>Längen</translation>
    </message>
    <message>
      <source>Of the numbers in the Inspector.</source>
      <translation>Der Zahlen im Inspektor.</translation>
    </message>
    <message>
      <source>Files</source>
      <translation>Dateien</translation>
    </message>
    <message>
      <source>A file opens</source>
      <translation>Eine Datei öffnet sich</translation>
    </message>
    <message>
      <source>A file that changes</source>
      <translation>Eine Datei, die sich ändert</translation>
    </message>
    <message>
      <source>What is not saved is never lost by it.</source>
      <translation>Nicht Gesichertes geht dabei nie verloren.</translation>
    </message>
    <message>
      <source>Keep what is open</source>
      <translation>Offenes bewahren</translation>
    </message>
    <message>
      <source>For the case that rigview or the computer stops.</source>
      <translation>Für den Fall, dass rigview oder der Rechner anhält.</translation>
    </message>
    <message>
      <source>Never</source>
      <translation>Nie</translation>
    </message>
    <message>
      <source>After 1 s</source>
      <translation>Nach 1 s</translation>
    </message>
    <message>
      <source>After 2 s</source>
      <translation>Nach 2 s</translation>
    </message>
    <message>
      <source>After 5 s</source>
      <translation>Nach 5 s</translation>
    </message>
    <message>
      <source>After 10 s</source>
      <translation>Nach 10 s</translation>
    </message>
    <message>
      <source>After 30 s</source>
      <translation>Nach 30 s</translation>
    </message>
    <message>
      <source>After 60 s</source>
      <translation>Nach 60 s</translation>
    </message>
    <message>
      <source>Panes</source>
      <translation>Felder</translation>
    </message>
    <message>
      <source>A rig is shown</source>
      <translation>Ein Rig wird gezeigt</translation>
    </message>
    <message>
      <source>Textured in the first pane, if the file has textures</source>
      <translation>Im ersten Feld mit Texturen, wenn die Datei welche hat</translation>
    </message>
    <message>
      <source>As it was</source>
      <translation>Wie bisher</translation>
    </message>
    <message>
      <source>Textured, if the file has textures</source>
      <translation>Mit Texturen, wenn die Datei welche hat</translation>
    </message>
    <message>
      <source>Pane 1</source>
      <translation>Feld 1</translation>
    </message>
    <message>
      <source>Pane 2</source>
      <translation>Feld 2</translation>
    </message>
    <message>
      <source>No pane</source>
      <translation>Kein Feld</translation>
    </message>
    <message>
      <source>Pane 3</source>
      <translation>Feld 3</translation>
    </message>
    <message>
      <source>Click</source>
      <translation>Klick</translation>
    </message>
    <message>
      <source>Select a joint or a vertex</source>
      <translation>Ein Gelenk oder einen Punkt auswählen</translation>
    </message>
    <message>
      <source>Shift+click</source>
      <translation>Umschalt+Klick</translation>
    </message>
    <message>
      <source>Select one more joint or vertex, or take it out</source>
      <translation>Noch ein Gelenk oder einen Punkt auswählen oder wieder herausnehmen</translation>
    </message>
    <message>
      <source>Shift+drag, Ctrl+drag (with Alt where they move the camera)</source>
      <translation>Umschalt+Ziehen, Strg+Ziehen (mit Alt, wo sie die Kamera bewegen)</translation>
    </message>
    <message>
      <source>Select vertices or joints, or take them out, by a box or a lasso (Q)</source>
      <translation>Punkte oder Gelenke mit Rahmen oder Lasso auswählen oder herausnehmen (Q)</translation>
    </message>
    <message>
      <source>Drag while painting weights, Shift smooths, Ctrl takes away</source>
      <translation>Ziehen beim Malen von Gewichten, Umschalt glättet, Strg nimmt weg</translation>
    </message>
    <message>
      <source>Paint</source>
      <translation>Malen</translation>
    </message>
    <message>
      <source>Hold B and drag</source>
      <translation>B halten und ziehen</translation>
    </message>
    <message>
      <source>Radius and strength of the brush</source>
      <translation>Radius und Stärke des Pinsels</translation>
    </message>
    <message>
      <source>Alt+click while painting</source>
      <translation>Alt+Klick beim Malen</translation>
    </message>
    <message>
      <source>Take the weight into the brush</source>
      <translation>Das Gewicht in den Pinsel nehmen</translation>
    </message>
    <message>
      <source>Double-click</source>
      <translation>Doppelklick</translation>
    </message>
    <message>
      <source>Click an axis in a pane's corner</source>
      <translation>Klick auf eine Achse in der Ecke einer Ansicht</translation>
    </message>
    <message>
      <source>Look from there, or from the other side</source>
      <translation>Von dort ansehen, oder von der anderen Seite</translation>
    </message>
    <message>
      <source>Right click, Shift+F10</source>
      <translation>Rechtsklick, Umschalt+F10</translation>
    </message>
    <message>
      <source>What can be done with what is there</source>
      <translation>Was mit dem dort getan werden kann</translation>
    </message>
    <message>
      <source>Drag a ring of the joint (E), Ctrl by 15°, Shift finer</source>
      <translation>Einen Ring des Gelenks (E) ziehen, Strg um 15°, Umschalt feiner</translation>
    </message>
    <message>
      <source>Try a rotation</source>
      <translation>Eine Drehung probieren</translation>
    </message>
    <message>
      <source>Drag on the ruler, with Alt between frames</source>
      <translation>Auf dem Lineal ziehen, mit Alt zwischen Bildern</translation>
    </message>
    <message>
      <source>Scrub</source>
      <translation>Durch die Zeit fahren</translation>
    </message>
    <message>
      <source>Shift-drag on the ruler</source>
      <translation>Umschalt+Ziehen auf dem Lineal</translation>
    </message>
    <message>
      <source>Play only what is marked</source>
      <translation>Nur das Markierte abspielen</translation>
    </message>
    <message>
      <source>Shift-click on the ruler</source>
      <translation>Umschalt+Klick auf das Lineal</translation>
    </message>
    <message>
      <source>Drag on a number, Shift finer, Ctrl coarser</source>
      <translation>Auf einer Zahl ziehen, Umschalt feiner, Strg gröber</translation>
    </message>
    <message>
      <source>Change it</source>
      <translation>Sie ändern</translation>
    </message>
    <message>
      <source>The notes are on the clipboard, as text for an e-mail.</source>
      <translation>Die Notizen sind in der Zwischenablage, als Text für eine E-Mail.</translation>
    </message>
    <message>
      <source>Something went wrong in rigview</source>
      <translation>In rigview ist etwas schiefgegangen</translation>
    </message>
    <message>
      <source>Copy diagnostics</source>
      <translation>Diagnose kopieren</translation>
    </message>
    <message>
      <source>Copy versions and system</source>
      <translation>Versionen und System kopieren</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>See, check and repair skinned rigs. MIT licence.</source>
      <translation>Rigs mit Haut ansehen, prüfen und reparieren. MIT-Lizenz.</translation>
    </message>
    <message>
      <source>Copied</source>
      <translation>Kopiert</translation>
    </message>
    <message>
      <source>Export</source>
      <translation>Exportieren</translation>
    </message>
    <message>
      <source>What to export</source>
      <translation>Was exportiert wird</translation>
    </message>
    <message>
      <source>One pane</source>
      <translation>Ein Feld</translation>
    </message>
    <message>
      <source>All panes</source>
      <translation>Alle Felder</translation>
    </message>
    <message>
      <source>Which panes</source>
      <translation>Welche Felder</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>Größe</translation>
    </message>
    <message>
      <source>Background</source>
      <translation>Hintergrund</translation>
    </message>
    <message>
      <source>Method names and numbers</source>
      <translation>Namen und Zahlen der Verfahren</translation>
    </message>
    <message>
      <source>Legend of the colours</source>
      <translation>Legende der Farben</translation>
    </message>
    <message>
      <source>File, clip and frame</source>
      <translation>Datei, Clip und Bild</translation>
    </message>
    <message>
      <source>Store this view in the PNG</source>
      <translation>Diese Ansicht im PNG ablegen</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>Kopieren</translation>
    </message>
    <message>
      <source>Copy the picture</source>
      <translation>Das Bild kopieren</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Seconds for one turn</source>
      <translation>Sekunden für eine Umdrehung</translation>
    </message>
    <message>
      <source>Clip plays meanwhile</source>
      <translation>Clip läuft dabei</translation>
    </message>
    <message>
      <source>What to write</source>
      <translation>Was geschrieben wird</translation>
    </message>
    <message>
      <source>History</source>
      <translation>Verlauf</translation>
    </message>
    <message>
      <source>Changes, the first on top</source>
      <translation>Änderungen, die erste oben</translation>
    </message>
    <message>
      <source>Profile</source>
      <translation>Profil</translation>
    </message>
    <message>
      <source>Code</source>
      <translation>Code</translation>
    </message>
    <message>
      <source>Slides</source>
      <translation>Folien</translation>
    </message>
    <message>
      <source>Sine</source>
      <translation>Sinus</translation>
    </message>
    <message>
      <source>Linear</source>
      <translation>Linear</translation>
    </message>
    <message>
      <source>Angle factor</source>
      <translation>Winkelfaktor</translation>
    </message>
    <message>
      <source>Axis that bones follow</source>
      <translation>Achse, der Knochen folgen</translation>
    </message>
    <message>
      <source>Vertex</source>
      <translation>Punkt</translation>
    </message>
    <message>
      <source>Origin</source>
      <translation>Ursprung</translation>
    </message>
    <message>
      <source>Coefficients of one's own</source>
      <translation>Eigene Koeffizienten</translation>
    </message>
    <message>
      <source>Save repaired copy</source>
      <translation>Reparierte Kopie sichern</translation>
    </message>
    <message>
      <source>Browse…</source>
      <translation>Durchsuchen…</translation>
    </message>
    <message>
      <source>Choose a folder and a name</source>
      <translation>Ordner und Namen wählen</translation>
    </message>
    <message>
      <source>Save copy</source>
      <translation>Kopie sichern</translation>
    </message>
    <message>
      <source>The copy is written anew as {kind}: what rigview does not read is not in it.</source>
      <translation>Die Kopie wird als {kind} neu geschrieben: Was rigview nicht liest, fehlt darin.</translation>
    </message>
    <message>
      <source>File name</source>
      <translation>Dateiname</translation>
    </message>
    <message>
      <source>{file} stays as it is. The copy differs in:</source>
      <translation>{file} bleibt, wie sie ist. Die Kopie unterscheidet sich darin:</translation>
    </message>
    <message>
      <source>The copy is a layer over {file} that holds the changes alone: keep both together.</source>
      <translation>Die Kopie ist ein Layer über {file}, der nur die Änderungen enthält: Beide gehören zusammen.</translation>
    </message>
    <message>
      <source>The copy is the file itself, amended: what no fix changes stays as it is.</source>
      <translation>Die Kopie ist die Datei selbst, ergänzt: Was keine Reparatur ändert, bleibt, wie es ist.</translation>
    </message>
    <message>
      <source>Replace the file you opened</source>
      <translation>Die geöffnete Datei ersetzen</translation>
    </message>
    <message>
      <source>Nothing was changed: the copy is {file}, byte for byte.</source>
      <translation>Nichts wurde geändert: Die Kopie ist {file}, Byte für Byte.</translation>
    </message>
    <message>
      <source>Nothing was changed: the copy is {file} as a new {kind} file.</source>
      <translation>Nichts wurde geändert: Die Kopie ist {file} als neue {kind}-Datei.</translation>
    </message>
    <message>
      <source>{unstated}: that stays, too.</source>
      <translation>{unstated}: Auch das bleibt.</translation>
    </message>
    <message>
      <source> or </source>
      <translation> oder </translation>
    </message>
    <message>
      <source>The name must end in {ends}.</source>
      <translation>Der Name muss auf {ends} enden.</translation>
    </message>
    <message>
      <source>There is no folder {folder}.</source>
      <translation>Es gibt keinen Ordner {folder}.</translation>
    </message>
    <message>
      <source>This replaces {file}, the file you opened.</source>
      <translation>Das ersetzt {file}, die geöffnete Datei.</translation>
    </message>
    <message>
      <source>This replaces {file}.</source>
      <translation>Das ersetzt {file}.</translation>
    </message>
    <message>
      <source>Conform to template</source>
      <translation>An Vorlage anpassen</translation>
    </message>
    <message>
      <source>None but the studio's</source>
      <translation>Keine außer der des Studios</translation>
    </message>
    <message>
      <source>Template</source>
      <translation>Vorlage</translation>
    </message>
    <message>
      <source>Choose a .skel.toml file</source>
      <translation>Eine .skel.toml-Datei wählen</translation>
    </message>
    <message>
      <source>Check against it</source>
      <translation>Daran prüfen</translation>
    </message>
    <message>
      <source>Choose a template</source>
      <translation>Vorlage wählen</translation>
    </message>
    <message>
      <source>Templates</source>
      <translation>Vorlagen</translation>
    </message>
    <message>
      <source>Copy the whole text</source>
      <translation>Den ganzen Text kopieren</translation>
    </message>
    <message>
      <source>Unit and axes</source>
      <translation>Einheit und Achsen</translation>
    </message>
    <message>
      <source>Unit</source>
      <translation>Einheit</translation>
    </message>
    <message>
      <source>Up axis</source>
      <translation>Achse nach oben</translation>
    </message>
    <message>
      <source>Frame rate</source>
      <translation>Bildrate</translation>
    </message>
    <message>
      <source>Open again</source>
      <translation>Erneut öffnen</translation>
    </message>
    <message>
      <source>metres</source>
      <translation>Meter</translation>
    </message>
    <message>
      <source>decimetres</source>
      <translation>Dezimeter</translation>
    </message>
    <message>
      <source>centimetres</source>
      <translation>Zentimeter</translation>
    </message>
    <message>
      <source>millimetres</source>
      <translation>Millimeter</translation>
    </message>
    <message>
      <source>inches</source>
      <translation>Zoll</translation>
    </message>
    <message>
      <source>feet</source>
      <translation>Fuß</translation>
    </message>
    <message>
      <source>Inspector</source>
      <translation>Inspektor</translation>
    </message>
    <message>
      <source>Checks</source>
      <translation>Prüfungen</translation>
    </message>
    <message>
      <source>Notes</source>
      <translation>Notizen</translation>
    </message>
    <message>
      <source>Timeline</source>
      <translation>Zeitleiste</translation>
    </message>
    <message>
      <source>Change keys</source>
      <translation>Tasten ändern</translation>
    </message>
    <message>
      <source>Search actions and keys</source>
      <translation>Befehle und Tasten suchen</translation>
    </message>
    <message>
      <source>Set</source>
      <translation>Setzen</translation>
    </message>
    <message>
      <source>Give the chosen action this key</source>
      <translation>Dem gewählten Befehl diese Taste geben</translation>
    </message>
    <message>
      <source>No key</source>
      <translation>Keine Taste</translation>
    </message>
    <message>
      <source>Take its keys from the chosen action</source>
      <translation>Dem gewählten Befehl seine Tasten nehmen</translation>
    </message>
    <message>
      <source>Preset's key</source>
      <translation>Taste der Vorlage</translation>
    </message>
    <message>
      <source>Go back to the preset's keys</source>
      <translation>Zu den Tasten der Vorlage zurückkehren</translation>
    </message>
    <message>
      <source>All as in the preset</source>
      <translation>Alle wie in der Vorlage</translation>
    </message>
    <message>
      <source>Forget all keys set here</source>
      <translation>Alle hier gesetzten Tasten vergessen</translation>
    </message>
    <message>
      <source>Actions and their keys</source>
      <translation>Befehle und ihre Tasten</translation>
    </message>
    <message>
      <source>Press the new key</source>
      <translation>Die neue Taste drücken</translation>
    </message>
    <message>
      <source>New key</source>
      <translation>Neue Taste</translation>
    </message>
    <message>
      <source>Action</source>
      <translation>Befehl</translation>
    </message>
    <message>
      <source>Keys</source>
      <translation>Tasten</translation>
    </message>
    <message>
      <source>Take it</source>
      <translation>Übernehmen</translation>
    </message>
    <message>
      <source>Choose an action, then press its new key.</source>
      <translation>Einen Befehl wählen, dann seine neue Taste drücken.</translation>
    </message>
    <message>
      <source>Find an action, joint, clip, pose, finding or file</source>
      <translation>Befehl, Gelenk, Clip, Pose, Befund oder Datei finden</translation>
    </message>
    <message>
      <source>Command palette</source>
      <translation>Befehlspalette</translation>
    </message>
    <message>
      <source>Found</source>
      <translation>Gefunden</translation>
    </message>
    <message>
      <source>Apply every fix that moves nothing</source>
      <translation>Alles beheben, was nichts bewegt</translation>
    </message>
    <message>
      <source>Checks run as soon as a rig is open.</source>
      <translation>Geprüft wird, sobald ein Rig offen ist.</translation>
    </message>
    <message>
      <source>Checking…</source>
      <translation>Prüft…</translation>
    </message>
    <message>
      <source>Errors</source>
      <translation>Fehler</translation>
    </message>
    <message>
      <source>Warnings</source>
      <translation>Warnungen</translation>
    </message>
    <message>
      <source>For information</source>
      <translation>Zur Kenntnis</translation>
    </message>
    <message>
      <source>Morph target that the bend drives</source>
      <translation>Morphziel, das die Beugung treibt</translation>
    </message>
    <message>
      <source>Bend at which the shape begins</source>
      <translation>Beugung, bei der die Form beginnt</translation>
    </message>
    <message>
      <source>Bend at which the shape is whole</source>
      <translation>Beugung, bei der die Form ganz da ist</translation>
    </message>
    <message>
      <source>from</source>
      <translation>von</translation>
    </message>
    <message>
      <source>to</source>
      <translation>bis</translation>
    </message>
    <message>
      <source>In the pane with the blue edge; the file stays</source>
      <translation>Im Feld mit dem blauen Rand; die Datei bleibt</translation>
    </message>
    <message>
      <source>Copy the finding as text</source>
      <translation>Den Befund als Text kopieren</translation>
    </message>
    <message>
      <source>Select a joint or a vertex to read its numbers.</source>
      <translation>Ein Gelenk oder einen Punkt auswählen, um Zahlen zu lesen.</translation>
    </message>
    <message>
      <source>Space of the numbers</source>
      <translation>Raum der Zahlen</translation>
    </message>
    <message>
      <source>Frame the joint  F</source>
      <translation>Das Gelenk ins Bild  F</translation>
    </message>
    <message>
      <source>Copy the numbers</source>
      <translation>Die Zahlen kopieren</translation>
    </message>
    <message>
      <source>Lengths, and degrees in the order of rotations of the file</source>
      <translation>Längen, und Grad in der Drehreihenfolge der Datei</translation>
    </message>
    <message>
      <source>Only joints with findings</source>
      <translation>Nur Gelenke mit Befunden</translation>
    </message>
    <message>
      <source>The joint tree appears here.</source>
      <translation>Der Baum der Gelenke erscheint hier.</translation>
    </message>
    <message>
      <source>No joint matches.</source>
      <translation>Kein Gelenk passt.</translation>
    </message>
    <message>
      <source>{listed} of {all} rows are listed; a longer search finds the others.</source>
      <translation>{listed} von {all} Zeilen sind aufgeführt; eine genauere Suche findet die anderen.</translation>
    </message>
    <message>
      <source>{listed} of {all} rows are listed; search finds the others.</source>
      <translation>{listed} von {all} Zeilen sind aufgeführt; die Suche findet die anderen.</translation>
    </message>
    <message>
      <source>Show the meshes</source>
      <translation>Die Netze zeigen</translation>
    </message>
    <message>
      <source>Meshes</source>
      <translation>Netze</translation>
    </message>
    <message>
      <source>Morph targets</source>
      <translation>Morphziele</translation>
    </message>
    <message>
      <source>Search morph targets</source>
      <translation>Morphziele suchen</translation>
    </message>
    <message>
      <source>Take all of them back</source>
      <translation>Alle zurücknehmen</translation>
    </message>
    <message>
      <source>Changed</source>
      <translation>Geändert</translation>
    </message>
    <message>
      <source>Only those that are tried</source>
      <translation>Nur die probierten</translation>
    </message>
    <message>
      <source>Keyed</source>
      <translation>Mit Schlüsseln</translation>
    </message>
    <message>
      <source>Only those that the clip changes</source>
      <translation>Nur die, die der Clip ändert</translation>
    </message>
    <message>
      <source>What is plotted</source>
      <translation>Was aufgetragen wird</translation>
    </message>
    <message>
      <source>Fold the plots</source>
      <translation>Die Kurven einklappen</translation>
    </message>
    <message>
      <source>Plots</source>
      <translation>Kurven</translation>
    </message>
    <message>
      <source>This rig</source>
      <translation>Dieses Rig</translation>
    </message>
    <message>
      <source>Motion</source>
      <translation>Bewegung</translation>
    </message>
    <message>
      <source>Told by</source>
      <translation>Erkannt an</translation>
    </message>
    <message>
      <source>Bone off</source>
      <translation>Knochen</translation>
    </message>
    <message>
      <source>Place off</source>
      <translation>Ort</translation>
    </message>
    <message>
      <source>The joint of the rig</source>
      <translation>Das Gelenk des Rigs</translation>
    </message>
    <message>
      <source>The joint of the motion that turns it; double-click or Return chooses another</source>
      <translation>Das Gelenk der Bewegung, das es dreht; Doppelklick oder Eingabe wählt ein anderes</translation>
    </message>
    <message>
      <source>Its part of a body, and what tells that: its name, its place in the tree, or the same name there</source>
      <translation>Sein Körperteil, und woran der erkannt ist: am Namen, am Platz im Baum oder am gleichen Namen dort</translation>
    </message>
    <message>
      <source>The largest angle between the two bones in the clips</source>
      <translation>Der größte Winkel zwischen den beiden Knochen in den Clips</translation>
    </message>
    <message>
      <source>The largest distance from where the motion has the joint, of the length of a leg</source>
      <translation>Der größte Abstand von der Stelle, an der die Bewegung das Gelenk hat, in Beinlängen</translation>
    </message>
    <message>
      <source>face</source>
      <translation>Gesicht</translation>
    </message>
    <message>
      <source>thumb</source>
      <translation>Daumen</translation>
    </message>
    <message>
      <source>palm</source>
      <translation>Handfläche</translation>
    </message>
    <message>
      <source>finger</source>
      <translation>Finger</translation>
    </message>
    <message>
      <source>toes</source>
      <translation>Zehen</translation>
    </message>
    <message>
      <source>clavicle</source>
      <translation>Schlüsselbein</translation>
    </message>
    <message>
      <source>upper arm</source>
      <translation>Oberarm</translation>
    </message>
    <message>
      <source>lower arm</source>
      <translation>Unterarm</translation>
    </message>
    <message>
      <source>hand</source>
      <translation>Hand</translation>
    </message>
    <message>
      <source>upper leg</source>
      <translation>Oberschenkel</translation>
    </message>
    <message>
      <source>lower leg</source>
      <translation>Unterschenkel</translation>
    </message>
    <message>
      <source>foot</source>
      <translation>Fuß</translation>
    </message>
    <message>
      <source>neck</source>
      <translation>Hals</translation>
    </message>
    <message>
      <source>jaw</source>
      <translation>Kiefer</translation>
    </message>
    <message>
      <source>eye</source>
      <translation>Auge</translation>
    </message>
    <message>
      <source>head</source>
      <translation>Kopf</translation>
    </message>
    <message>
      <source>spine</source>
      <translation>Wirbelsäule</translation>
    </message>
    <message>
      <source>tail</source>
      <translation>Schwanz</translation>
    </message>
    <message>
      <source>hips</source>
      <translation>Hüfte</translation>
    </message>
    <message>
      <source>root</source>
      <translation>Wurzel</translation>
    </message>
    <message>
      <source>name</source>
      <translation>Name</translation>
    </message>
    <message>
      <source>place</source>
      <translation>Platz</translation>
    </message>
    <message>
      <source>same name</source>
      <translation>gleicher Name</translation>
    </message>
    <message>
      <source>by hand</source>
      <translation>von Hand</translation>
    </message>
    <message>
      <source>Which clips are taken</source>
      <translation>Welche Clips übernommen werden</translation>
    </message>
    <message>
      <source>Twist</source>
      <translation>Verdrehung</translation>
    </message>
    <message>
      <source>Align limbs</source>
      <translation>Glieder ausrichten</translation>
    </message>
    <message>
      <source>How far hips and root move, of their way in the motion</source>
      <translation>Wie weit sich Hüfte und Wurzel bewegen, von ihrem Weg in der Bewegung</translation>
    </message>
    <message>
      <source>Choose another motion</source>
      <translation>Eine andere Bewegung wählen</translation>
    </message>
    <message>
      <source>As the legs are long</source>
      <translation>Wie die Beine lang sind</translation>
    </message>
    <message>
      <source>Reset</source>
      <translation>Zurücksetzen</translation>
    </message>
    <message>
      <source>Map by the names of joints again</source>
      <translation>Wieder nach den Namen der Gelenke zuordnen</translation>
    </message>
    <message>
      <source>Load map…</source>
      <translation>Zuordnung laden…</translation>
    </message>
    <message>
      <source>Take a map that was saved (--map)</source>
      <translation>Eine gespeicherte Zuordnung nehmen (--map)</translation>
    </message>
    <message>
      <source>Save map…</source>
      <translation>Zuordnung speichern…</translation>
    </message>
    <message>
      <source>Write the map, for rigview retarget --map</source>
      <translation>Die Zuordnung schreiben, für rigview retarget --map</translation>
    </message>
    <message>
      <source>Preview</source>
      <translation>Vorschau</translation>
    </message>
    <message>
      <source>Play the motion by this map</source>
      <translation>Die Bewegung mit dieser Zuordnung abspielen</translation>
    </message>
    <message>
      <source>Add clips</source>
      <translation>Clips übernehmen</translation>
    </message>
    <message>
      <source>Give the rig the clips: one change</source>
      <translation>Dem Rig die Clips geben: eine Änderung</translation>
    </message>
    <message>
      <source>Leave the rig as it is  Esc</source>
      <translation>Das Rig lassen, wie es ist  Esc</translation>
    </message>
    <message>
      <source>Choose a motion…</source>
      <translation>Bewegung wählen…</translation>
    </message>
    <message>
      <source>Moves ×</source>
      <translation>Wege ×</translation>
    </message>
    <message>
      <source>The clips of another skeleton, played on this rig.</source>
      <translation>Die Clips eines anderen Skeletts, auf diesem Rig abgespielt.</translation>
    </message>
    <message>
      <source>Or drop the file on the window.</source>
      <translation>Oder die Datei auf das Fenster ziehen.</translation>
    </message>
    <message>
      <source>Let arms and legs turn about their own bones as in the motion</source>
      <translation>Arme und Beine wie in der Bewegung um ihre Knochen drehen lassen</translation>
    </message>
    <message>
      <source>Turn arms and legs that rest otherwise onto those of the motion first</source>
      <translation>Arme und Beine, die anders ruhen, zuerst auf die der Bewegung drehen</translation>
    </message>
    <message>
      <source>Retarget motion</source>
      <translation>Bewegung übertragen</translation>
    </message>
    <message>
      <source>Load map</source>
      <translation>Zuordnung laden</translation>
    </message>
    <message>
      <source>Save map</source>
      <translation>Zuordnung speichern</translation>
    </message>
    <message>
      <source>Add clip</source>
      <translation>Clip übernehmen</translation>
    </message>
    <message>
      <source>All clips</source>
      <translation>Alle Clips</translation>
    </message>
    <message>
      <source>Maps</source>
      <translation>Zuordnungen</translation>
    </message>
    <message>
      <source>Joint of the motion</source>
      <translation>Gelenk der Bewegung</translation>
    </message>
    <message>
      <source>Which joint turns which</source>
      <translation>Welches Gelenk welches dreht</translation>
    </message>
    <message>
      <source>New</source>
      <translation>Neu</translation>
    </message>
    <message>
      <source>Write another note</source>
      <translation>Eine weitere Notiz schreiben</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>Löschen</translation>
    </message>
    <message>
      <source>Delete this note</source>
      <translation>Diese Notiz löschen</translation>
    </message>
    <message>
      <source>Words of the note</source>
      <translation>Text der Notiz</translation>
    </message>
    <message>
      <source>No notes yet. Draw on the picture or press Shift+A.</source>
      <translation>Noch keine Notizen. Zeichnen Sie ins Bild oder drücken Sie Umschalt+A.</translation>
    </message>
    <message>
      <source>Change note</source>
      <translation>Notiz ändern</translation>
    </message>
    <message>
      <source>Time ruler</source>
      <translation>Zeitlineal</translation>
    </message>
    <message>
      <source>Biped</source>
      <translation>Zweibeiner</translation>
    </message>
    <message>
      <source>65 joints, two clips</source>
      <translation>65 Gelenke, zwei Clips</translation>
    </message>
    <message>
      <source>Arm with hand</source>
      <translation>Arm mit Hand</translation>
    </message>
    <message>
      <source>bend and twist</source>
      <translation>Beugung und Verdrehung</translation>
    </message>
    <message>
      <source>Twisted box</source>
      <translation>Verdrehter Quader</translation>
    </message>
    <message>
      <source>two joints, 180°</source>
      <translation>zwei Gelenke, 180°</translation>
    </message>
    <message>
      <source>Broken rigs</source>
      <translation>Defekte Rigs</translation>
    </message>
    <message>
      <source>one for each rule</source>
      <translation>eines je Regel</translation>
    </message>
    <message>
      <source>Drop a rig here</source>
      <translation>Ein Rig hier fallen lassen</translation>
    </message>
    <message>
      <source>glTF, FBX, USD, Collada, BVH or VRM. The file is only read; repairs go to a copy.</source>
      <translation>glTF, FBX, USD, Collada, BVH oder VRM. Die Datei wird nur gelesen; repariert wird eine Kopie.</translation>
    </message>
    <message>
      <source>or start with a sample</source>
      <translation>oder mit einem Beispiel beginnen</translation>
    </message>
    <message>
      <source>Open…  Ctrl+O</source>
      <translation>Öffnen…  Strg+O</translation>
    </message>
    <message>
      <source>Open a rig</source>
      <translation>Ein Rig öffnen</translation>
    </message>
    <message>
      <source>Recent</source>
      <translation>Zuletzt</translation>
    </message>
    <message>
      <source>Recent files</source>
      <translation>Zuletzt geöffnete Dateien</translation>
    </message>
    <message>
      <source>The rules that the settings ignore are run after the others</source>
      <translation>Die Regeln, die die Vorgaben auslassen, laufen nach den anderen</translation>
    </message>
    <message>
      <source>Counting what is ignored…</source>
      <translation>Zählt, was ausgelassen wird…</translation>
    </message>
    <message>
      <source>Let the studio's settings count again</source>
      <translation>Die Vorgaben des Studios wieder gelten lassen</translation>
    </message>
    <message>
      <source>Switch on</source>
      <translation>Einschalten</translation>
    </message>
    <message>
      <source>Hide again</source>
      <translation>Wieder ausblenden</translation>
    </message>
    <message>
      <source>First frame  Home</source>
      <translation>Erstes Bild  Pos1</translation>
    </message>
    <message>
      <source>Previous frame  ←</source>
      <translation>Voriges Bild  ←</translation>
    </message>
    <message>
      <source>Play  Space</source>
      <translation>Abspielen  Leertaste</translation>
    </message>
    <message>
      <source>Next frame  →</source>
      <translation>Nächstes Bild  →</translation>
    </message>
    <message>
      <source>Last frame  End</source>
      <translation>Letztes Bild  Ende</translation>
    </message>
    <message>
      <source>Loop</source>
      <translation>Schleife</translation>
    </message>
    <message>
      <source>Clip</source>
      <translation>Clip</translation>
    </message>
    <message>
      <source>Speed</source>
      <translation>Tempo</translation>
    </message>
    <message>
      <source>Frames per second</source>
      <translation>Bilder je Sekunde</translation>
    </message>
    <message>
      <source>Frame</source>
      <translation>Bild</translation>
    </message>
    <message>
      <source>Reading the clip…</source>
      <translation>Liest den Clip…</translation>
    </message>
    <message>
      <source>lighter: the usual range</source>
      <translation>heller: der übliche Bereich</translation>
    </message>
    <message>
      <source>Bend, twist</source>
      <translation>Beugung, Verdrehung</translation>
    </message>
    <message>
      <source>Euler</source>
      <translation>Euler</translation>
    </message>
    <message>
      <source>Angles of the trial pose</source>
      <translation>Winkel der Probepose</translation>
    </message>
    <message>
      <source>Snap</source>
      <translation>Rasten</translation>
    </message>
    <message>
      <source>Step of the bars while they snap</source>
      <translation>Schritt der Balken beim Rasten</translation>
    </message>
    <message>
      <source>Add to worst poses</source>
      <translation>Zu den schlimmsten Posen</translation>
    </message>
    <message>
      <source>Keep the pose on show as a tried pose</source>
      <translation>Die gezeigte Pose als probierte behalten</translation>
    </message>
    <message>
      <source>Take back</source>
      <translation>Zurücknehmen</translation>
    </message>
    <message>
      <source>Take all trial rotations back</source>
      <translation>Alle Probedrehungen zurücknehmen</translation>
    </message>
    <message>
      <source>Bend</source>
      <translation>Beugung</translation>
    </message>
    <message>
      <source>Joints of the chosen vertices</source>
      <translation>Gelenke der gewählten Punkte</translation>
    </message>
    <message>
      <source>above 0.02</source>
      <translation>über 0,02</translation>
    </message>
    <message>
      <source>Choose these</source>
      <translation>Diese wählen</translation>
    </message>
    <message>
      <source>Choose only the vertices that are listed</source>
      <translation>Nur die aufgeführten Punkte wählen</translation>
    </message>
    <message>
      <source>Only vertices whose weight of the selected joint is so</source>
      <translation>Nur Punkte, deren Gewicht am gewählten Gelenk so ist</translation>
    </message>
    <message>
      <source>above 0.5</source>
      <translation>über 0,5</translation>
    </message>
    <message>
      <source>Fold the vertices</source>
      <translation>Die Punkte einklappen</translation>
    </message>
    <message>
      <source>Copy as text, for a spreadsheet  Ctrl+C</source>
      <translation>Als Text kopieren, für eine Tabelle  Strg+C</translation>
    </message>
    <message>
      <source>Paste from a spreadsheet  Ctrl+V</source>
      <translation>Aus einer Tabelle einfügen  Strg+V</translation>
    </message>
    <message>
      <source>Weights of the chosen vertices</source>
      <translation>Gewichte der gewählten Punkte</translation>
    </message>
    <message>
      <source>Vertices</source>
      <translation>Punkte</translation>
    </message>
    <message>
      <source>All poses</source>
      <translation>Alle Posen</translation>
    </message>
    <message>
      <source>More than one pose of a joint</source>
      <translation>Mehr als eine Pose je Gelenk</translation>
    </message>
    <message>
      <source>Skinning method of the worst poses</source>
      <translation>Verfahren der schlimmsten Posen</translation>
    </message>
    <message>
      <source>Pose before  Ctrl+Shift+N</source>
      <translation>Vorige Pose  Strg+Umschalt+N</translation>
    </message>
    <message>
      <source>Next worst pose  Shift+N</source>
      <translation>Nächste schlimmste Pose  Umschalt+N</translation>
    </message>
    <message>
      <source>Fold the worst poses</source>
      <translation>Die schlimmsten Posen einklappen</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>Entfernen</translation>
    </message>
    <message>
      <source>Take the tried pose off the list  Delete</source>
      <translation>Die probierte Pose von der Liste nehmen  Entf</translation>
    </message>
    <message>
      <source>Stop looking</source>
      <translation>Suche beenden</translation>
    </message>
    <message>
      <source>All</source>
      <translation>Alle</translation>
    </message>
    <message>
      <source>under</source>
      <translation>unter</translation>
    </message>
    <message>
      <source>Show the worst poses</source>
      <translation>Die schlimmsten Posen zeigen</translation>
    </message>
    <message>
      <source>Worst poses</source>
      <translation>Schlimmste Posen</translation>
    </message>
    <message>
      <source>Look from +X; again, from −X</source>
      <translation>Von +X ansehen; noch einmal: von −X</translation>
    </message>
    <message>
      <source>Look from +Y, the top; again, from −Y</source>
      <translation>Von +Y ansehen, von oben; noch einmal: von −Y</translation>
    </message>
    <message>
      <source>Look from +Z; again, from −Z</source>
      <translation>Von +Z ansehen; noch einmal: von −Z</translation>
    </message>
    <message>
      <source>Look from −X; again, from +X</source>
      <translation>Von −X ansehen; noch einmal: von +X</translation>
    </message>
    <message>
      <source>Look from −Y, below; again, from +Y</source>
      <translation>Von −Y ansehen, von unten; noch einmal: von +Y</translation>
    </message>
    <message>
      <source>Look from −Z; again, from +Z</source>
      <translation>Von −Z ansehen; noch einmal: von +Z</translation>
    </message>
    <message>
      <source>Text on the picture</source>
      <translation>Text auf dem Bild</translation>
    </message>
    <message>
      <source>What heat shows</source>
      <translation>Was die Wärmefarben zeigen</translation>
    </message>
    <message>
      <source>Further options of the method</source>
      <translation>Weitere Optionen des Verfahrens</translation>
    </message>
    <message>
      <source>file</source>
      <translation>Datei</translation>
    </message>
    <message>
      <source>Skinning method</source>
      <translation>Verfahren</translation>
    </message>
    <message>
      <source>This pane has its own camera: link it with the others</source>
      <translation>Diese Ansicht hat ihre eigene Kamera: mit den anderen verbinden</translation>
    </message>
    <message>
      <source>Copy details</source>
      <translation>Einzelheiten kopieren</translation>
    </message>
    <message>
      <source>Copy the whole message</source>
      <translation>Die ganze Meldung kopieren</translation>
    </message>
    <message>
      <source>Dismiss  Esc</source>
      <translation>Ausblenden  Esc</translation>
    </message>
    <message>
      <source>Before</source>
      <translation>Vorher</translation>
    </message>
    <message>
      <source>After</source>
      <translation>Nachher</translation>
    </message>
    <message>
      <source>Which state is shown</source>
      <translation>Welcher Zustand gezeigt wird</translation>
    </message>
    <message>
      <source>Apply</source>
      <translation>Anwenden</translation>
    </message>
    <message>
      <source>Keep the change</source>
      <translation>Die Änderung behalten</translation>
    </message>
    <message>
      <source>Leave the preview  Esc</source>
      <translation>Die Vorschau verlassen  Esc</translation>
    </message>
    <message>
      <source>Marks</source>
      <translation>Marken</translation>
    </message>
    <message>
      <source>Deformation</source>
      <translation>Verformung</translation>
    </message>
    <message>
      <source>What is shown of changes</source>
      <translation>Was von Änderungen gezeigt wird</translation>
    </message>
    <message>
      <source>All differences…</source>
      <translation>Alle Unterschiede…</translation>
    </message>
    <message>
      <source>Show what changed, to be copied</source>
      <translation>Zeigen, was sich geändert hat, zum Kopieren</translation>
    </message>
    <message>
      <source>Show one file again  Esc</source>
      <translation>Wieder eine Datei zeigen  Esc</translation>
    </message>
    <message>
      <source>Compared</source>
      <translation>Verglichen</translation>
    </message>
    <message>
      <source>Value that is painted: 0 no compensation, 1 all of it</source>
      <translation>Gemalter Wert: 0 kein Ausgleich, 1 voller</translation>
    </message>
    <message>
      <source>Radius of the brush</source>
      <translation>Radius des Pinsels</translation>
    </message>
    <message>
      <source>Set by joint</source>
      <translation>Nach Gelenk setzen</translation>
    </message>
    <message>
      <source>Set what the selected joint moves, by its weights</source>
      <translation>Setzen, was das gewählte Gelenk bewegt, nach seinen Gewichten</translation>
    </message>
    <message>
      <source>Done</source>
      <translation>Fertig</translation>
    </message>
    <message>
      <source>Stop painting  Esc</source>
      <translation>Malen beenden  Esc</translation>
    </message>
    <message>
      <source>Cancel  Esc</source>
      <translation>Abbrechen  Esc</translation>
    </message>
    <message>
      <source>Stop the work</source>
      <translation>Die Arbeit abbrechen</translation>
    </message>
    <message>
      <source>Take the change back</source>
      <translation>Die Änderung zurücknehmen</translation>
    </message>
    <message>
      <source>Drag over the skin to paint.</source>
      <translation>Zum Malen über die Haut ziehen.</translation>
    </message>
    <message>
      <source>Value</source>
      <translation>Wert</translation>
    </message>
    <message>
      <source>Radius</source>
      <translation>Radius</translation>
    </message>
    <message>
      <source>Apply all the same</source>
      <translation>Trotzdem anwenden</translation>
    </message>
    <message>
      <source>What the brush does</source>
      <translation>Was der Pinsel tut</translation>
    </message>
    <message>
      <source>Value that is set, added or multiplied by</source>
      <translation>Wert, der gesetzt, addiert oder multipliziert wird</translation>
    </message>
    <message>
      <source>Radius of the brush over the surface</source>
      <translation>Radius des Pinsels auf der Fläche</translation>
    </message>
    <message>
      <source>Strength of the brush</source>
      <translation>Stärke des Pinsels</translation>
    </message>
    <message>
      <source>Falloff of the brush</source>
      <translation>Abfall des Pinsels</translation>
    </message>
    <message>
      <source>Paint the other side too</source>
      <translation>Auch die andere Seite malen</translation>
    </message>
    <message>
      <source>Only vertices that the joint moves already</source>
      <translation>Nur Punkte, die das Gelenk schon bewegt</translation>
    </message>
    <message>
      <source>Flood</source>
      <translation>Fluten</translation>
    </message>
    <message>
      <source>Do to all chosen vertices what the brush does</source>
      <translation>Mit allen gewählten Punkten tun, was der Pinsel tut</translation>
    </message>
    <message>
      <source>Strength</source>
      <translation>Stärke</translation>
    </message>
    <message>
      <source>Preferences</source>
      <translation>Einstellungen</translation>
    </message>
    <message>
      <source>Change the keys of actions</source>
      <translation>Die Tasten der Befehle ändern</translation>
    </message>
    <message>
      <source>Author of notes</source>
      <translation>Verfasser von Notizen</translation>
    </message>
    <message>
      <source>What is chosen counts at once.</source>
      <translation>Was gewählt wird, gilt sofort.</translation>
    </message>
    <message>
      <source>In this tab</source>
      <translation>In diesem Reiter</translation>
    </message>
    <message>
      <source>In a new tab</source>
      <translation>In einem neuen Reiter</translation>
    </message>
    <message>
      <source>Is asked about</source>
      <translation>Danach wird gefragt</translation>
    </message>
    <message>
      <source>Is read again</source>
      <translation>Wird neu gelesen</translation>
    </message>
    <message>
      <source>Show them</source>
      <translation>Zeigen</translation>
    </message>
    <message>
      <source>Discard</source>
      <translation>Verwerfen</translation>
    </message>
    <message>
      <source>Open a rig in a new tab</source>
      <translation>Ein Rig in neuem Reiter öffnen</translation>
    </message>
    <message>
      <source>Close this rig</source>
      <translation>Dieses Rig schließen</translation>
    </message>
    <message>
      <source>Open rigs</source>
      <translation>Offene Rigs</translation>
    </message>
    <message>
      <source>Shading</source>
      <translation>Schattierung</translation>
    </message>
    <message>
      <source>Menus</source>
      <translation>Menüs</translation>
    </message>
    <message>
      <source>Open recent</source>
      <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
      <source>Open sample</source>
      <translation>Beispiel öffnen</translation>
    </message>
    <message>
      <source>Panels</source>
      <translation>Bedienfelder</translation>
    </message>
    <message>
      <source>Original layout</source>
      <translation>Ursprüngliche Anordnung</translation>
    </message>
    <message>
      <source>Broken, one per rule</source>
      <translation>Defekt, eines je Regel</translation>
    </message>
    <message>
      <source>No file was opened yet</source>
      <translation>Noch wurde keine Datei geöffnet</translation>
    </message>
    <message>
      <source>Screenshot</source>
      <translation>Bildschirmfoto</translation>
    </message>
    <message>
      <source>Clear</source>
      <translation>Leeren</translation>
    </message>
    <message>
      <source>The view of the picture is restored in part.</source>
      <translation>Die Ansicht des Bildes ist teilweise wiederhergestellt.</translation>
    </message>
    <message>
      <source>Skeleton ready, reading meshes</source>
      <translation>Skelett bereit, liest Netze</translation>
    </message>
    <message>
      <source>The window still shows it as it was when it was opened.</source>
      <translation>Das Fenster zeigt sie noch, wie sie beim Öffnen war.</translation>
    </message>
    <message>
      <source>Repairs that are not saved would be lost.</source>
      <translation>Nicht gesicherte Reparaturen gingen verloren.</translation>
    </message>
    <message>
      <source>The panes cannot be drawn</source>
      <translation>Die Felder können nicht gezeichnet werden</translation>
    </message>
    <message>
      <source>joint</source>
      <translation>Gelenk</translation>
    </message>
    <message>
      <source>Reloaded.</source>
      <translation>Neu geladen.</translation>
    </message>
    <message>
      <source>The file has neither mesh nor joints.</source>
      <translation>Die Datei hat weder Netz noch Gelenke.</translation>
    </message>
    <message>
      <source>The view of the picture is restored.</source>
      <translation>Die Ansicht des Bildes ist wiederhergestellt.</translation>
    </message>
    <message>
      <source>{file} has changed on disk</source>
      <translation>{file} hat sich auf der Platte geändert</translation>
    </message>
    <message>
      <source>Added to the worst poses; not saved in the file.</source>
      <translation>Zu den schlimmsten Posen gefügt; nicht in der Datei gesichert.</translation>
    </message>
    <message>
      <source>Nothing moved in any clip.</source>
      <translation>In keinem Clip hat sich etwas bewegt.</translation>
    </message>
    <message>
      <source>Vertices moved by up to {length}.</source>
      <translation>Vertices haben sich um bis zu {length} bewegt.</translation>
    </message>
    <message>
      <source>{number} not fixed.</source>
      <translation>{number} nicht repariert.</translation>
    </message>
    <message>
      <source>Not fixed: {reason}.</source>
      <translation>Nicht repariert: {reason}.</translation>
    </message>
    <message>
      <source>Fixed {number}.</source>
      <translation>{number} repariert.</translation>
    </message>
    <message>
      <source>Nothing was fixed: {reason}.</source>
      <translation>Nichts wurde repariert: {reason}.</translation>
    </message>
    <message>
      <source>{file} could not be written</source>
      <translation>{file} konnte nicht geschrieben werden</translation>
    </message>
    <message>
      <source>Saved {file}</source>
      <translation>{file} gesichert</translation>
    </message>
    <message>
      <source>Unsaved notes</source>
      <translation>Ungespeicherte Notizen</translation>
    </message>
    <message>
      <source>Save a part</source>
      <translation>Einen Teil speichern</translation>
    </message>
    <message>
      <source>It cannot hold:</source>
      <translation>Nicht halten kann sie:</translation>
    </message>
    <message>
      <source>Save these alone</source>
      <translation>Nur diese speichern</translation>
    </message>
    <message>
      <source>Unsaved changes</source>
      <translation>Nicht gesicherte Änderungen</translation>
    </message>
    <message>
      <source>{file} does not carry everything</source>
      <translation>{file} enthält nicht alles</translation>
    </message>
    <message>
      <source>{file} could not be saved</source>
      <translation>{file} konnte nicht gesichert werden</translation>
    </message>
    <message>
      <source>This is what was shown before the worst pose.</source>
      <translation>Das war vor der schlimmsten Pose zu sehen.</translation>
    </message>
  </context>
</TS>