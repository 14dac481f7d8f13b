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
      <translation>Exaktes beheben</translation>
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
      <translation>Durchsicht</translation>
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
      <source>collapse</source>
      <translation>Einknicken</translation>
    </message>
    <message>
      <source>bulge</source>
      <translation>Aufwölbung</translation>
    </message>
    <message>
      <source>Local volume</source>
      <translation>Volumen vor Ort</translation>
    </message>
    <message>
      <source>local volume</source>
      <translation>örtliches Volumen</translation>
    </message>
    <message>
      <source>stretch</source>
      <translation>Dehnung</translation>
    </message>
    <message>
      <source>Compression</source>
      <translation>Stauchung</translation>
    </message>
    <message>
      <source>compression</source>
      <translation>Stauchung</translation>
    </message>
    <message>
      <source>Area</source>
      <translation>Fläche</translation>
    </message>
    <message>
      <source>area</source>
      <translation>Fläche</translation>
    </message>
    <message>
      <source>Flipped faces</source>
      <translation>Umgeklappte Flächen</translation>
    </message>
    <message>
      <source>flipped faces</source>
      <translation>umgeklappte Flächen</translation>
    </message>
    <message>
      <source>Self-intersection</source>
      <translation>Selbstdurchdringung</translation>
    </message>
    <message>
      <source>self-intersection</source>
      <translation>Selbstdurchdringung</translation>
    </message>
    <message>
      <source>Normal error</source>
      <translation>Normalenfehler</translation>
    </message>
    <message>
      <source>normal error</source>
      <translation>Fehler der Normalen</translation>
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
      <source>Picture</source>
      <translation>Bild</translation>
    </message>
    <message>
      <source>Turntable</source>
      <translation>Drehtisch</translation>
    </message>
    <message>
      <source>Viewport</source>
      <translation>Ansicht</translation>
    </message>
    <message>
      <source>Transparent</source>
      <translation>Durchsichtig</translation>
    </message>
    <message>
      <source>Custom</source>
      <translation>Eigene</translation>
    </message>
    <message>
      <source>Own</source>
      <translation>Eigenes</translation>
    </message>
    <message>
      <source>Times</source>
      <translation>Zeiten</translation>
    </message>
    <message>
      <source>Width</source>
      <translation>Breite</translation>
    </message>
    <message>
      <source>Height</source>
      <translation>Höhe</translation>
    </message>
    <message>
      <source>Show</source>
      <translation>Zeigen</translation>
    </message>
    <message>
      <source>Session</source>
      <translation>Sitzung</translation>
    </message>
    <message>
      <source>Upwards</source>
      <translation>Nach oben</translation>
    </message>
    <message>
      <source>Frames</source>
      <translation>Bilder</translation>
    </message>
    <message>
      <source>Mouse</source>
      <translation>Maus</translation>
    </message>
    <message>
      <source>Wheel</source>
      <translation>Mausrad</translation>
    </message>
    <message>
      <source>Pinch</source>
      <translation>Zwei Finger spreizen</translation>
    </message>
    <message>
      <source>Angle</source>
      <translation>Winkel</translation>
    </message>
    <message>
      <source>Prune</source>
      <translation>Ausdünnen</translation>
    </message>
    <message>
      <source>Keep 4</source>
      <translation>4 behalten</translation>
    </message>
    <message>
      <source>Metres</source>
      <translation>Meter</translation>
    </message>
    <message>
      <source>Centimetres</source>
      <translation>Zentimeter</translation>
    </message>
    <message>
      <source>Inches</source>
      <translation>Zoll</translation>
    </message>
    <message>
      <source>Touchpad</source>
      <translation>Touchpad</translation>
    </message>
    <message>
      <source>Actions</source>
      <translation>Befehle</translation>
    </message>
    <message>
      <source>Methods</source>
      <translation>Verfahren</translation>
    </message>
    <message>
      <source>Findings</source>
      <translation>Befunde</translation>
    </message>
    <message>
      <source>Worst</source>
      <translation>Schlimmste</translation>
    </message>
    <message>
      <source>Keys</source>
      <translation>Tasten</translation>
    </message>
    <message>
      <source>Arrow</source>
      <translation>Pfeil</translation>
    </message>
    <message>
      <source>Line</source>
      <translation>Linie</translation>
    </message>
    <message>
      <source>Box</source>
      <translation>Kasten</translation>
    </message>
    <message>
      <source>Text</source>
      <translation>Text</translation>
    </message>
    <message>
      <source>Sum</source>
      <translation>Summe</translation>
    </message>
    <message>
      <source>Preview…</source>
      <translation>Vorschau…</translation>
    </message>
    <message>
      <source>Constant</source>
      <translation>Gleichmäßig</translation>
    </message>
    <message>
      <source>Sharp</source>
      <translation>Scharf</translation>
    </message>
    <message>
      <source>As the file</source>
      <translation>Wie die Datei</translation>
    </message>
    <message>
      <source>info</source>
      <translation>Hinweis</translation>
    </message>
    <message>
      <source>error</source>
      <translation>Fehler</translation>
    </message>
    <message>
      <source>warning</source>
      <translation>Warnung</translation>
    </message>
    <message>
      <source>arrow</source>
      <translation>Pfeil</translation>
    </message>
    <message>
      <source>line</source>
      <translation>Linie</translation>
    </message>
    <message>
      <source>box</source>
      <translation>Kasten</translation>
    </message>
    <message>
      <source>free hand</source>
      <translation>Freihand</translation>
    </message>
    <message>
      <source>text</source>
      <translation>Text</translation>
    </message>
    <message>
      <source>replace</source>
      <translation>setzen</translation>
    </message>
    <message>
      <source>add</source>
      <translation>addieren</translation>
    </message>
    <message>
      <source>scale</source>
      <translation>multiplizieren</translation>
    </message>
    <message>
      <source>WebP, small</source>
      <translation>WebP, klein</translation>
    </message>
    <message>
      <source>APNG, lossless</source>
      <translation>APNG, verlustfrei</translation>
    </message>
    <message>
      <source>GIF, 256 colours</source>
      <translation>GIF, 256 Farben</translation>
    </message>
    <message>
      <source>PNGs, numbered</source>
      <translation>PNGs, nummeriert</translation>
    </message>
    <message>
      <source>Linear</source>
      <translation>Linear</translation>
    </message>
    <message>
      <source>is</source>
      <translation>ist</translation>
    </message>
    <message>
      <source>are</source>
      <translation>sind</translation>
    </message>
    <message>
      <source>shows it</source>
      <translation>zeigt es</translation>
    </message>
    <message>
      <source>shows them</source>
      <translation>zeigt sie</translation>
    </message>
    <message>
      <source>names</source>
      <translation>nennt</translation>
    </message>
    <message>
      <source>name</source>
      <translation>Name</translation>
    </message>
    <message>
      <source>it rests</source>
      <translation>es ruht</translation>
    </message>
    <message>
      <source>they rest</source>
      <translation>sie ruhen</translation>
    </message>
    <message>
      <source>rests</source>
      <translation>ruht</translation>
    </message>
    <message>
      <source>rest</source>
      <translation>ruhen</translation>
    </message>
    <message>
      <source>it moves</source>
      <translation>es bewegt sich</translation>
    </message>
    <message>
      <source>they move</source>
      <translation>sie bewegen sich</translation>
    </message>
    <message>
      <source>has</source>
      <translation>hat</translation>
    </message>
    <message>
      <source>have</source>
      <translation>haben</translation>
    </message>
    <message>
      <source>its</source>
      <translation>sein</translation>
    </message>
    <message>
      <source>their</source>
      <translation>ihre</translation>
    </message>
    <message>
      <source>stands</source>
      <translation>steht</translation>
    </message>
    <message>
      <source>stand</source>
      <translation>stehen</translation>
    </message>
    <message>
      <source>lists</source>
      <translation>führt</translation>
    </message>
    <message>
      <source>list</source>
      <translation>führen</translation>
    </message>
    <message>
      <source>moves nothing</source>
      <translation>bewegt nichts</translation>
    </message>
    <message>
      <source>move nothing</source>
      <translation>bewegen nichts</translation>
    </message>
    <message>
      <source>marks</source>
      <translation>markiert</translation>
    </message>
    <message>
      <source>mark</source>
      <translation>markieren</translation>
    </message>
    <message>
      <source>turns</source>
      <translation>dreht sich</translation>
    </message>
    <message>
      <source>turn</source>
      <translation>drehen sich</translation>
    </message>
    <message>
      <source>ends</source>
      <translation>endet</translation>
    </message>
    <message>
      <source>end</source>
      <translation>enden</translation>
    </message>
    <message>
      <source>changes</source>
      <translation>ändert</translation>
    </message>
    <message>
      <source>change</source>
      <translation>ändern</translation>
    </message>
    <message>
      <source>This one points</source>
      <translation>Dieser weist</translation>
    </message>
    <message>
      <source>These point</source>
      <translation>Diese weisen</translation>
    </message>
    <message>
      <source>scales</source>
      <translation>skaliert</translation>
    </message>
    <message>
      <source>stretches</source>
      <translation>dehnt</translation>
    </message>
    <message>
      <source>changes its</source>
      <translation>ändert sein</translation>
    </message>
    <message>
      <source>change their</source>
      <translation>ändern ihre</translation>
    </message>
    <message>
      <source>shares</source>
      <translation>teilt</translation>
    </message>
    <message>
      <source>share</source>
      <translation>teilen</translation>
    </message>
    <message>
      <source>far from the joint that moves it most</source>
      <translation>fern vom Gelenk, das ihn am meisten bewegt</translation>
    </message>
    <message>
      <source>far from the joint that moves them most</source>
      <translation>fern vom Gelenk, das sie am meisten bewegt</translation>
    </message>
    <message>
      <source>follows</source>
      <translation>folgt</translation>
    </message>
    <message>
      <source>follow</source>
      <translation>folgen</translation>
    </message>
    <message>
      <source>stands between joints and is</source>
      <translation>steht zwischen Gelenken und ist</translation>
    </message>
    <message>
      <source>stand between joints and are</source>
      <translation>stehen zwischen Gelenken und sind</translation>
    </message>
    <message>
      <source>was</source>
      <translation>war</translation>
    </message>
    <message>
      <source>were</source>
      <translation>waren</translation>
    </message>
    <message>
      <source>{number} error</source>
      <translation>{number} Fehler</translation>
    </message>
    <message>
      <source>{number} errors</source>
      <translation>{number} Fehler</translation>
    </message>
    <message>
      <source>{number} warning</source>
      <translation>{number} Warnung</translation>
    </message>
    <message>
      <source>{number} warnings</source>
      <translation>{number} Warnungen</translation>
    </message>
    <message>
      <source>{number} info</source>
      <translation>{number} Hinweis</translation>
    </message>
    <message>
      <source>{number} infos</source>
      <translation>{number} Hinweise</translation>
    </message>
    <message>
      <source>{number} severity</source>
      <translation>{number} Schweregrad</translation>
    </message>
    <message>
      <source>{number} severities</source>
      <translation>{number} Schweregrade</translation>
    </message>
    <message>
      <source>{number} limit</source>
      <translation>{number} Grenze</translation>
    </message>
    <message>
      <source>{number} limits</source>
      <translation>{number} Grenzen</translation>
    </message>
    <message>
      <source>{number} accepted value</source>
      <translation>{number} angenommener Wert</translation>
    </message>
    <message>
      <source>{number} accepted values</source>
      <translation>{number} angenommene Werte</translation>
    </message>
    <message>
      <source>{number} skin</source>
      <translation>{number} Haut</translation>
    </message>
    <message>
      <source>{number} skins</source>
      <translation>{number} Häute</translation>
    </message>
    <message>
      <source>{number} more skin</source>
      <translation>{number} weitere Haut</translation>
    </message>
    <message>
      <source>{number} more skins</source>
      <translation>{number} weitere Häute</translation>
    </message>
    <message>
      <source>{number} more mesh</source>
      <translation>{number} weiteres Netz</translation>
    </message>
    <message>
      <source>{number} more meshes</source>
      <translation>{number} weitere Netze</translation>
    </message>
    <message>
      <source>{number} more primitive</source>
      <translation>{number} weiteres Teilnetz</translation>
    </message>
    <message>
      <source>{number} more primitives</source>
      <translation>{number} weitere Teilnetze</translation>
    </message>
    <message>
      <source>{number} channel</source>
      <translation>{number} Kanal</translation>
    </message>
    <message>
      <source>{number} channels</source>
      <translation>{number} Kanäle</translation>
    </message>
    <message>
      <source>{number} joint</source>
      <translation>{number} Gelenk</translation>
    </message>
    <message>
      <source>{number} joints</source>
      <translation>{number} Gelenke</translation>
    </message>
    <message>
      <source>{number} key</source>
      <translation>{number} Schlüssel</translation>
    </message>
    <message>
      <source>{number} keys</source>
      <translation>{number} Schlüssel</translation>
    </message>
    <message>
      <source>{number} matrix</source>
      <translation>{number} Matrix</translation>
    </message>
    <message>
      <source>{number} matrices</source>
      <translation>{number} Matrizen</translation>
    </message>
    <message>
      <source>{number} mesh</source>
      <translation>{number} Netz</translation>
    </message>
    <message>
      <source>{number} meshes</source>
      <translation>{number} Netze</translation>
    </message>
    <message>
      <source>{number} triangle</source>
      <translation>{number} Dreieck</translation>
    </message>
    <message>
      <source>{number} triangles</source>
      <translation>{number} Dreiecke</translation>
    </message>
    <message>
      <source>{number} vertex</source>
      <translation>{number} Punkt</translation>
    </message>
    <message>
      <source>{number} vertices</source>
      <translation>{number} Punkte</translation>
    </message>
    <message>
      <source>{number} fix</source>
      <translation>{number} Reparatur</translation>
    </message>
    <message>
      <source>{number} fixes</source>
      <translation>{number} Reparaturen</translation>
    </message>
    <message>
      <source>{number} rig</source>
      <translation>{number} Rig</translation>
    </message>
    <message>
      <source>{number} rigs</source>
      <translation>{number} Rigs</translation>
    </message>
    <message>
      <source>{number} finding</source>
      <translation>{number} Befund</translation>
    </message>
    <message>
      <source>{number} findings</source>
      <translation>{number} Befunde</translation>
    </message>
    <message>
      <source>{number} clip</source>
      <translation>{number} Clip</translation>
    </message>
    <message>
      <source>{number} clips</source>
      <translation>{number} Clips</translation>
    </message>
    <message>
      <source>{number} note</source>
      <translation>{number} Notiz</translation>
    </message>
    <message>
      <source>{number} notes</source>
      <translation>{number} Notizen</translation>
    </message>
    <message>
      <source>{number} curve</source>
      <translation>{number} Kurve</translation>
    </message>
    <message>
      <source>{number} curves</source>
      <translation>{number} Kurven</translation>
    </message>
    <message>
      <source>{number} file</source>
      <translation>{number} Datei</translation>
    </message>
    <message>
      <source>{number} files</source>
      <translation>{number} Dateien</translation>
    </message>
    <message>
      <source>{number} rule</source>
      <translation>{number} Regel</translation>
    </message>
    <message>
      <source>{number} rules</source>
      <translation>{number} Regeln</translation>
    </message>
    <message>
      <source>{number} inverse bind matrix</source>
      <translation>{number} inverse Bindematrix</translation>
    </message>
    <message>
      <source>{number} inverse bind matrices</source>
      <translation>{number} inverse Bindematrizen</translation>
    </message>
    <message>
      <source>{number} twist joint</source>
      <translation>{number} Verdrehgelenk</translation>
    </message>
    <message>
      <source>{number} twist joints</source>
      <translation>{number} Verdrehgelenke</translation>
    </message>
    <message>
      <source>{number} more joint</source>
      <translation>{number} weiteres Gelenk</translation>
    </message>
    <message>
      <source>{number} more joints</source>
      <translation>{number} weitere Gelenke</translation>
    </message>
    <message>
      <source>{number} key time</source>
      <translation>{number} Schlüsselzeit</translation>
    </message>
    <message>
      <source>{number} key times</source>
      <translation>{number} Schlüsselzeiten</translation>
    </message>
    <message>
      <source>{number} bone</source>
      <translation>{number} Knochen</translation>
    </message>
    <message>
      <source>{number} bones</source>
      <translation>{number} Knochen</translation>
    </message>
    <message>
      <source>{number} pair</source>
      <translation>{number} Paar</translation>
    </message>
    <message>
      <source>{number} pairs</source>
      <translation>{number} Paare</translation>
    </message>
    <message>
      <source>{number} more clip</source>
      <translation>{number} weiterer Clip</translation>
    </message>
    <message>
      <source>{number} more clips</source>
      <translation>{number} weitere Clips</translation>
    </message>
    <message>
      <source>{number} more node</source>
      <translation>{number} weiterer Knoten</translation>
    </message>
    <message>
      <source>{number} more nodes</source>
      <translation>{number} weitere Knoten</translation>
    </message>
    <message>
      <source>{number} shell</source>
      <translation>{number} Schale</translation>
    </message>
    <message>
      <source>{number} shells</source>
      <translation>{number} Schalen</translation>
    </message>
    <message>
      <source>{number} old result</source>
      <translation>{number} altes Ergebnis</translation>
    </message>
    <message>
      <source>{number} old results</source>
      <translation>{number} alte Ergebnisse</translation>
    </message>
    <message>
      <source>{number} unreadable file</source>
      <translation>{number} unlesbare Datei</translation>
    </message>
    <message>
      <source>{number} unreadable files</source>
      <translation>{number} unlesbare Dateien</translation>
    </message>
    <message>
      <source>{number} new frame</source>
      <translation>{number} neues Koordinatensystem</translation>
    </message>
    <message>
      <source>{number} new frames</source>
      <translation>{number} neue Koordinatensysteme</translation>
    </message>
    <message>
      <source>{number} new name</source>
      <translation>{number} neuer Name</translation>
    </message>
    <message>
      <source>{number} new names</source>
      <translation>{number} neue Namen</translation>
    </message>
    <message>
      <source>{number} new parent</source>
      <translation>{number} neues Elternteil</translation>
    </message>
    <message>
      <source>{number} new parents</source>
      <translation>{number} neue Elternteile</translation>
    </message>
    <message>
      <source>{number} pose</source>
      <translation>{number} Pose</translation>
    </message>
    <message>
      <source>{number} poses</source>
      <translation>{number} Posen</translation>
    </message>
    <message>
      <source>{number} influence</source>
      <translation>{number} Einfluss</translation>
    </message>
    <message>
      <source>{number} influences</source>
      <translation>{number} Einflüsse</translation>
    </message>
    <message>
      <source>{number} primitive</source>
      <translation>{number} Teilnetz</translation>
    </message>
    <message>
      <source>{number} primitives</source>
      <translation>{number} Teilnetze</translation>
    </message>
    <message>
      <source>{number} other joint</source>
      <translation>{number} anderes Gelenk</translation>
    </message>
    <message>
      <source>{number} other joints</source>
      <translation>{number} andere Gelenke</translation>
    </message>
    <message>
      <source>{number} node</source>
      <translation>{number} Knoten</translation>
    </message>
    <message>
      <source>{number} nodes</source>
      <translation>{number} Knoten</translation>
    </message>
    <message>
      <source>{number} morph target</source>
      <translation>{number} Morphziel</translation>
    </message>
    <message>
      <source>{number} morph targets</source>
      <translation>{number} Morphziele</translation>
    </message>
    <message>
      <source>{number} picture</source>
      <translation>{number} Bild</translation>
    </message>
    <message>
      <source>{number} pictures</source>
      <translation>{number} Bilder</translation>
    </message>
    <message>
      <source>{number} further remark</source>
      <translation>{number} weitere Bemerkung</translation>
    </message>
    <message>
      <source>{number} further remarks</source>
      <translation>{number} weitere Bemerkungen</translation>
    </message>
    <message>
      <source>{number} unsaved change</source>
      <translation>{number} nicht gesicherte Änderung</translation>
    </message>
    <message>
      <source>{number} unsaved changes</source>
      <translation>{number} nicht gesicherte Änderungen</translation>
    </message>
    <message>
      <source>no joints are named like a body with two arms, two legs, hips and a head</source>
      <translation>keine Gelenke heißen wie ein Körper mit zwei Armen, zwei Beinen, Hüfte und Kopf</translation>
    </message>
    <message>
      <source>the finding is about no pose</source>
      <translation>der Befund betrifft keine Pose</translation>
    </message>
    <message>
      <source>no edit of weights cures {rule}</source>
      <translation>keine Änderung der Gewichte hilft gegen {rule}</translation>
    </message>
    <message>
      <source>{first} and {rest}</source>
      <translation>{first} und {rest}</translation>
    </message>
    <message>
      <source>the rest pose</source>
      <translation>die Ruhepose</translation>
    </message>
    <message>
      <source>no pose: there is no clip</source>
      <translation>keine Pose: es gibt keinen Clip</translation>
    </message>
    <message>
      <source>a range of motion</source>
      <translation>ein Bewegungsumfang</translation>
    </message>
    <message>
      <source>it has no joint of the same name</source>
      <translation>sie hat kein Gelenk gleichen Namens</translation>
    </message>
    <message>
      <source>its vertices would move</source>
      <translation>ihre Punkte würden sich bewegen</translation>
    </message>
    <message>
      <source>{joint} has something below it in that file, which the stretch would shear</source>
      <translation>unter {joint} hängt in dieser Datei etwas, das die Dehnung scheren würde</translation>
    </message>
    <message>
      <source>{joint} states a matrix in that file</source>
      <translation>{joint} ist in dieser Datei als Matrix angegeben</translation>
    </message>
    <message>
      <source>it has no node {joint}, under which joints hang now</source>
      <translation>sie hat keinen Knoten {joint}, unter dem nun Gelenke hängen</translation>
    </message>
    <message>
      <source>another node of it is already named {name}</source>
      <translation>ein anderer ihrer Knoten heißt schon {name}</translation>
    </message>
    <message>
      <source>it has fewer joints named {name}</source>
      <translation>sie hat weniger Gelenke namens {name}</translation>
    </message>
    <message>
      <source>its joints would move</source>
      <translation>ihre Gelenke würden sich bewegen</translation>
    </message>
    <message>
      <source>{number} of its nodes have the name and place of {joint}</source>
      <translation>{number} ihrer Knoten haben Namen und Platz von {joint}</translation>
    </message>
    <message>
      <source>{joint} rests differently in that file</source>
      <translation>{joint} ruht in dieser Datei anders</translation>
    </message>
    <message>
      <source>it has no joint {joint}</source>
      <translation>sie hat kein Gelenk {joint}</translation>
    </message>
    <message>
      <source>the fixes scaled {joint} unequally</source>
      <translation>die Reparaturen haben {joint} ungleich skaliert</translation>
    </message>
    <message>
      <source>the fixes moved {joint} itself</source>
      <translation>die Reparaturen haben {joint} selbst bewegt</translation>
    </message>
    <message>
      <source>the fixes posed {joint} or bound it anew</source>
      <translation>die Reparaturen haben {joint} anders gestellt oder neu gebunden</translation>
    </message>
    <message>
      <source>it would move {length}, {share:.2g} % of the rig, and so is not exact here</source>
      <translation>es würde {length} bewegen, {share:.2g} % des Rigs, und ist hier also nicht exakt</translation>
    </message>
    <message>
      <source>the {seconds:.3g} s for the file were used up</source>
      <translation>die {seconds:.3g} s für die Datei waren aufgebraucht</translation>
    </message>
    <message>
      <source>it takes longer than {seconds:.3g} s</source>
      <translation>es dauert länger als {seconds:.3g} s</translation>
    </message>
    <message>
      <source>The configuration sets this limit</source>
      <translation>Die Vorgaben setzen diese Grenze</translation>
    </message>
    <message>
      <source>any viewer or engine that follows glTF 2.0</source>
      <translation>jeder Betrachter und jede Engine nach glTF 2.0</translation>
    </message>
    <message>
      <source>glTF 2.0 §3.7.3.1: only one set of four influences must be supported</source>
      <translation>glTF 2.0 §3.7.3.1: nur ein Satz von vier Einflüssen muss unterstützt werden</translation>
    </message>
    <message>
      <source>glTF 2.0 §3.7.3.1: joint numbers of one byte reach 255</source>
      <translation>glTF 2.0 §3.7.3.1: Gelenknummern von einem Byte reichen bis 255</translation>
    </message>
    <message>
      <source>dual quaternion skinning</source>
      <translation>Verformung mit dualen Quaternionen</translation>
    </message>
    <message>
      <source>Kavan et al. 2008: two vectors a joint; 256 vectors are what every OpenGL 3.3 driver grants a vertex shader (GL_MAX_VERTEX_UNIFORM_COMPONENTS ≥ 1024)</source>
      <translation>Kavan et al. 2008: zwei Vektoren je Gelenk; 256 Vektoren gewährt jeder Treiber für OpenGL 3.3 einem Vertex-Shader (GL_MAX_VERTEX_UNIFORM_COMPONENTS ≥ 1024)</translation>
    </message>
    <message>
      <source>the compensation plugin of Rudenko 2020</source>
      <translation>das Plug-in zum Ausgleich von Rudenko 2020</translation>
    </message>
    <message>
      <source>Rudenko 2020, chapter 4: four influences, the heaviest first</source>
      <translation>Rudenko 2020, Kapitel 4: vier Einflüsse, der schwerste zuerst</translation>
    </message>
    <message>
      <source>Unity manual, QualitySettings.skinWeights: four bones by default</source>
      <translation>Unity-Handbuch, QualitySettings.skinWeights: üblich sind vier Knochen</translation>
    </message>
    <message>
      <source>Unity manual: animation paths are divided by /</source>
      <translation>Unity-Handbuch: Pfade der Animation werden durch / geteilt</translation>
    </message>
    <message>
      <source>Unreal Engine on desktop and mobile</source>
      <translation>Unreal Engine auf Rechnern und Mobilgeräten</translation>
    </message>
    <message>
      <source>Unreal Engine 5 documentation, Skeletal Mesh Rendering Paths: 256 bones a section unless 16-bit bone indices are switched on; the 75 bones of Unreal Engine 3's sections are gone</source>
      <translation>Dokumentation der Unreal Engine 5, Skeletal Mesh Rendering Paths: 256 Knochen je Abschnitt, wenn keine Knochennummern von 16 Bit eingeschaltet sind; die 75 Knochen je Abschnitt der Unreal Engine 3 gelten nicht mehr</translation>
    </message>
    <message>
      <source>Unreal Engine 5 documentation, Skeletal Mesh Rendering Paths: eight influences unless unlimited ones are switched on</source>
      <translation>Dokumentation der Unreal Engine 5, Skeletal Mesh Rendering Paths: acht Einflüsse, wenn nicht unbegrenzt viele eingeschaltet sind</translation>
    </message>
    <message>
      <source>Godot 4, Mesh.ARRAY_FLAG_USE_8_BONE_WEIGHTS</source>
      <translation>Godot 4, Mesh.ARRAY_FLAG_USE_8_BONE_WEIGHTS</translation>
    </message>
    <message>
      <source>Godot 4, Skeleton3D.add_bone takes neither : nor / in names</source>
      <translation>Godot 4, Skeleton3D.add_bone nimmt weder : noch / in Namen</translation>
    </message>
    <message>
      <source>VRM 1.0 avatars</source>
      <translation>Avatare nach VRM 1.0</translation>
    </message>
    <message>
      <source>VRMC_vrm 1.0, tpose.md, definition 1.4: arms along X and level with the ground</source>
      <translation>VRMC_vrm 1.0, tpose.md, Definition 1.4: Arme entlang X und waagrecht</translation>
    </message>
    <message>
      <source>mesh {mesh} is also used without this skin</source>
      <translation>Netz {mesh} wird auch ohne diese Haut benutzt</translation>
    </message>
    <message>
      <source>{joint} has children, which the stretch would shear</source>
      <translation>{joint} hat Kinder, die die Dehnung scheren würde</translation>
    </message>
    <message>
      <source>{joint} states a matrix, without a scale of its own</source>
      <translation>{joint} ist als Matrix angegeben, ohne eigene Skalierung</translation>
    </message>
    <message>
      <source>{joint} changes its scale during a clip</source>
      <translation>{joint} ändert in einem Clip seine Skalierung</translation>
    </message>
    <message>
      <source>{joint} also serves another skin</source>
      <translation>{joint} dient auch einer anderen Haut</translation>
    </message>
    <message>
      <source>{joint} is animated and shows a mesh of its own</source>
      <translation>{joint} ist animiert und zeigt ein eigenes Netz</translation>
    </message>
    <message>
      <source>{joint} shares vertices with other joints</source>
      <translation>{joint} teilt Punkte mit anderen Gelenken</translation>
    </message>
    <message>
      <source>the skin has fewer inverse bind matrices than joints</source>
      <translation>die Haut hat weniger inverse Bindematrizen als Gelenke</translation>
    </message>
    <message>
      <source>{joint} carries a mesh that would turn or scale with it</source>
      <translation>{joint} trägt ein Netz, das sich mitdrehen oder mitskalieren würde</translation>
    </message>
    <message>
      <source>{joint} has unequal scale, which a turn would shear</source>
      <translation>{joint} ist ungleich skaliert, was eine Drehung scheren würde</translation>
    </message>
    <message>
      <source>another {kind}, {joint},</source>
      <translation>ein anderer Knoten ({kind}), {joint},</translation>
    </message>
    <message>
      <source>{joint} would be {name}, as {other} is</source>
      <translation>{joint} würde {name} heißen wie {other}</translation>
    </message>
    <message>
      <source>no bone has a direction</source>
      <translation>kein Knochen hat eine Richtung</translation>
    </message>
    <message>
      <source>no bone is off its axis</source>
      <translation>kein Knochen liegt neben seiner Achse</translation>
    </message>
    <message>
      <source>the transform between the two parents scales unequally or mirrors</source>
      <translation>die Transformation zwischen den beiden Elternteilen skaliert ungleich oder spiegelt</translation>
    </message>
    <message>
      <source>{joint} lies below {other}</source>
      <translation>{joint} liegt unter {other}</translation>
    </message>
    <message>
      <source>{joint}, between the two parents, is animated</source>
      <translation>{joint}, zwischen den beiden Elternteilen, ist animiert</translation>
    </message>
    <message>
      <source>unequal scale above {joint} would shear it</source>
      <translation>ungleiche Skalierung über {joint} würde es scheren</translation>
    </message>
    <message>
      <source>{joint} is sheared, which no key can state</source>
      <translation>{joint} ist geschert, was kein Schlüssel angeben kann</translation>
    </message>
    <message>
      <source>the mesh {mesh} is moved in two ways</source>
      <translation>das Netz {mesh} wird auf zwei Arten bewegt</translation>
    </message>
    <message>
      <source>one joint moves the collapse to the middle of the bone: two or more share it out</source>
      <translation>ein Gelenk verlegt das Einknicken in die Mitte des Knochens: zwei oder mehr verteilen es</translation>
    </message>
    <message>
      <source>{joint} hangs on no joint, so nothing twists</source>
      <translation>{joint} hängt an keinem Gelenk, also verdreht sich nichts</translation>
    </message>
    <message>
      <source>the bone of {joint} has no length</source>
      <translation>der Knochen von {joint} hat keine Länge</translation>
    </message>
    <message>
      <source>no skin lists {joint}</source>
      <translation>keine Haut führt {joint}</translation>
    </message>
    <message>
      <source>Arms rest in another pose</source>
      <translation>Arme ruhen in anderer Pose</translation>
    </message>
    <message>
      <source>a {pose}-pose</source>
      <translation>{pose}-Pose</translation>
    </message>
    <message>
      <source>an {pose}-pose</source>
      <translation>{pose}-Pose</translation>
    </message>
    <message>
      <source>Retargeting between skeletons that rest differently needs the difference known. VRM asks for a T-pose. Posed and bound anew, joints stay where they are in every frame of every clip; vertices that blend joints which are turned differently move.</source>
      <translation>Wer Bewegungen zwischen Skeletten überträgt, die verschieden ruhen, muss den Unterschied kennen. VRM verlangt eine T-Pose. Neu gestellt und gebunden bleiben die Gelenke in jedem Bild jedes Clips, wo sie sind; Punkte, die verschieden gedrehte Gelenke überblenden, bewegen sich.</translation>
    </message>
    <message>
      <source>Pose the mesh in {pose} and bind it anew</source>
      <translation>Das Netz stellen und neu binden: {pose}</translation>
    </message>
    <message>
      <source>{joint} is {angle:.0f}° off {pose} at rest</source>
      <translation>{joint} ist in Ruhe {angle:.0f}° von der {pose} entfernt</translation>
    </message>
    <message>
      <source>there is no such body any more</source>
      <translation>es gibt diesen Körper nicht mehr</translation>
    </message>
    <message>
      <source>no joint of the skin has a sound bind</source>
      <translation>kein Gelenk der Haut ist heil gebunden</translation>
    </message>
    <message>
      <source>the arms rest in the {pose}-pose already</source>
      <translation>die Arme ruhen schon in der {pose}-Pose</translation>
    </message>
    <message>
      <source>the arms rest {away} away from the bind pose: fix {rule} first</source>
      <translation>die Arme ruhen {away} neben der Bindepose: zuerst {rule} reparieren</translation>
    </message>
    <message>
      <source>No inverse bind matrices</source>
      <translation>Keine inversen Bindematrizen</translation>
    </message>
    <message>
      <source>Too few inverse bind matrices</source>
      <translation>Zu wenige inverse Bindematrizen</translation>
    </message>
    <message>
      <source>glTF then takes identities: the vertices are stated in the joints' own space. Several programs guess the bind pose from the rest pose instead. Where an exporter lost the matrices, writing identities would only hide that.</source>
      <translation>glTF nimmt dann Einheitsmatrizen: die Punkte stehen im Raum der Gelenke. Mehrere Programme raten die Bindepose stattdessen aus der Ruhepose. Wo ein Exporter die Matrizen verloren hat, würden geschriebene Einheitsmatrizen das nur verdecken.</translation>
    </message>
    <message>
      <source>The joints without a matrix are taken to have been at the mesh's origin.</source>
      <translation>Von den Gelenken ohne Matrix wird angenommen, dass sie im Ursprung des Netzes waren.</translation>
    </message>
    <message>
      <source>no inverse bind matrices, and {joints} of {number} away from the origin at rest</source>
      <translation>keine inversen Bindematrizen, und {joints} von {number} in Ruhe neben dem Ursprung</translation>
    </message>
    <message>
      <source>{matrices} for {joints}</source>
      <translation>{matrices} für {joints}</translation>
    </message>
    <message>
      <source>Write identity matrices</source>
      <translation>Einheitsmatrizen schreiben</translation>
    </message>
    <message>
      <source>where these joints were is not in the file</source>
      <translation>wo diese Gelenke waren, steht nicht in der Datei</translation>
    </message>
    <message>
      <source>Skins disagree about the bind</source>
      <translation>Häute widersprechen sich in der Bindung</translation>
    </message>
    <message>
      <source>Programs with one bind pose per joint take one of the two, and the other mesh deforms already at rest.</source>
      <translation>Programme mit einer Bindepose je Gelenk nehmen eine der beiden, und das andere Netz verformt sich schon in Ruhe.</translation>
    </message>
    <message>
      <source>{joints} bound up to {away} otherwise than in {skin}</source>
      <translation>{joints} bis zu {away} anders gebunden als in {skin}</translation>
    </message>
    <message>
      <source>which of the two binds was meant is unknown</source>
      <translation>welche der beiden Bindungen gemeint war, ist unbekannt</translation>
    </message>
    <message>
      <source>Inverse bind matrix without inverse</source>
      <translation>Inverse Bindematrix ohne Inverse</translation>
    </message>
    <message>
      <source>Bind mirrors the mesh</source>
      <translation>Bindung spiegelt das Netz</translation>
    </message>
    <message>
      <source>Inverse bind matrix is not affine</source>
      <translation>Inverse Bindematrix ist nicht affin</translation>
    </message>
    <message>
      <source>Bind stretches the mesh</source>
      <translation>Bindung dehnt das Netz</translation>
    </message>
    <message>
      <source>{matrices} {says}, the first is that of {joint}</source>
      <translation>{matrices} {says}, zuerst die von {joint}</translation>
    </message>
    <message>
      <source>the last row is no rounding error: what it means is unknown</source>
      <translation>die letzte Zeile ist kein Rundungsfehler: was sie bedeutet, ist unbekannt</translation>
    </message>
    <message>
      <source>the joints stretch the mesh differently</source>
      <translation>die Gelenke dehnen das Netz verschieden</translation>
    </message>
    <message>
      <source>without inverse</source>
      <translation>ohne Inverse</translation>
    </message>
    <message>
      <source>The joint flattens whatever it moves, and where it was when the mesh was attached is lost.</source>
      <translation>Das Gelenk drückt platt, was es bewegt, und wo es beim Binden war, ist verloren.</translation>
    </message>
    <message>
      <source>The joint turns the mesh inside out. Dual quaternions cannot mirror at all.</source>
      <translation>Das Gelenk stülpt das Netz um. Duale Quaternionen können gar nicht spiegeln.</translation>
    </message>
    <message>
      <source>Write last rows as 0 0 0 1</source>
      <translation>Letzte Zeilen als 0 0 0 1 schreiben</translation>
    </message>
    <message>
      <source>glTF forbids it. Programs that keep three rows see another matrix than those that keep four.</source>
      <translation>glTF verbietet es. Programme, die drei Zeilen behalten, sehen eine andere Matrix als solche, die vier behalten.</translation>
    </message>
    <message>
      <source>The mesh was attached stretched. Normals, dual quaternions and physics see another shape than linear skinning.</source>
      <translation>Das Netz wurde gedehnt gebunden. Normalen, duale Quaternionen und Physik sehen eine andere Form als die lineare Verformung.</translation>
    </message>
    <message>
      <source>mirrored</source>
      <translation>gespiegelt</translation>
    </message>
    <message>
      <source>with a last row other than 0 0 0 1</source>
      <translation>mit anderer letzter Zeile als 0 0 0 1</translation>
    </message>
    <message>
      <source>with unequal scales</source>
      <translation>mit ungleichen Skalierungen</translation>
    </message>
    <message>
      <source>a mesh has vertices that no joint moves</source>
      <translation>ein Netz hat Punkte, die kein Gelenk bewegt</translation>
    </message>
    <message>
      <source>whether the mesh or its bind is the wrong way round is unknown</source>
      <translation>ob das Netz oder seine Bindung verkehrt herum ist, ist unbekannt</translation>
    </message>
    <message>
      <source>Fold the common stretch into the mesh</source>
      <translation>Die gemeinsame Dehnung ins Netz übernehmen</translation>
    </message>
    <message>
      <source>Bind {joints} anew where {verb}</source>
      <translation>In Ruhe neu binden: {joints}</translation>
    </message>
    <message>
      <source>Rest is not bind</source>
      <translation>Ruhe ist nicht Bindung</translation>
    </message>
    <message>
      <source>: {joint} is posed against the joint above it</source>
      <translation>: {joint} ist gegen das Gelenk darüber gestellt</translation>
    </message>
    <message>
      <source>The file's rest pose is not the pose the mesh was attached in: often a frame of a clip. Programs that rebuild the bind from the rest pose deform the mesh already at rest.</source>
      <translation>Die Ruhepose der Datei ist nicht die Pose, in der das Netz gebunden wurde: oft ein Bild eines Clips. Programme, die die Bindung aus der Ruhepose neu bilden, verformen das Netz schon in Ruhe.</translation>
    </message>
    <message>
      <source>{joints} of {number} {verb} up to {away} away from the bind pose{above}</source>
      <translation>{joints} von {number} bis zu {away} neben der Bindepose{above}</translation>
    </message>
    <message>
      <source>{joint} would be sheared in the bind pose, which no node can state</source>
      <translation>{joint} wäre in der Bindepose geschert, was kein Knoten angeben kann</translation>
    </message>
    <message>
      <source>Rest in the bind pose</source>
      <translation>In der Bindepose ruhen lassen</translation>
    </message>
    <message>
      <source>Joint far from its vertices</source>
      <translation>Gelenk fern von seinen Punkten</translation>
    </message>
    <message>
      <source>A joint far outside of what it moves is mostly bound in other units or in another place than the mesh.</source>
      <translation>Ein Gelenk weit außerhalb dessen, was es bewegt, ist meist in anderen Einheiten oder an anderer Stelle gebunden als das Netz.</translation>
    </message>
    <message>
      <source>{joints} bound up to {worst:.2g} times the size of the character from the nearest vertex {verb}</source>
      <translation>{joints} bis zum {worst:.2g}-Fachen der Größe der Figur vom nächsten bewegten Punkt entfernt gebunden</translation>
    </message>
    <message>
      <source>this is a symptom: mesh, bind and weights may each be the cause</source>
      <translation>das ist ein Anzeichen: Netz, Bindung und Gewichte können jeweils die Ursache sein</translation>
    </message>
    <message>
      <source>Skin leaves its bounds</source>
      <translation>Haut verlässt ihre Grenzen</translation>
    </message>
    <message>
      <source>Engines that cull by the bounds at rest let the character vanish at the edge of the picture.</source>
      <translation>Engines, die nach den Grenzen in Ruhe ausblenden, lassen die Figur am Bildrand verschwinden.</translation>
    </message>
    <message>
      <source>, the character of {top}</source>
      <translation>, die Figur von {top}</translation>
    </message>
    <message>
      <source>the skin reaches {times:.2f} times as far as at rest in {where} at {time:.2f} s{whose}</source>
      <translation>die Haut reicht {times:.2f}-mal so weit wie in Ruhe in {where} bei {time:.2f} s{whose}</translation>
    </message>
    <message>
      <source>the bounds of a skinned mesh are set in the engine</source>
      <translation>die Grenzen eines gebundenen Netzes werden in der Engine gesetzt</translation>
    </message>
    <message>
      <source>Over the template's budget</source>
      <translation>Über dem Budget der Vorlage</translation>
    </message>
    <message>
      <source>Memory and time of a crowd of characters are planned by these numbers.</source>
      <translation>Speicher und Zeit für viele Figuren werden nach diesen Zahlen geplant.</translation>
    </message>
    <message>
      <source>{counted} on one vertex; {template} allows {most}</source>
      <translation>{counted} an einem Punkt; {template} erlaubt {most}</translation>
    </message>
    <message>
      <source>{counted} on one mesh; {template} allows {most}</source>
      <translation>{counted} an einem Netz; {template} erlaubt {most}</translation>
    </message>
    <message>
      <source>{counted}; {template} allows {most}</source>
      <translation>{counted}; {template} erlaubt {most}</translation>
    </message>
    <message>
      <source>joint</source>
      <translation>Gelenk</translation>
    </message>
    <message>
      <source>which joints a character does without is a choice</source>
      <translation>auf welche Gelenke eine Figur verzichtet, ist eine Wahl</translation>
    </message>
    <message>
      <source>influence</source>
      <translation>Einfluss</translation>
    </message>
    <message>
      <source>WGT-COUNT keeps the largest, under a limit of its own</source>
      <translation>WGT-COUNT behält die größten, mit eigener Grenze</translation>
    </message>
    <message>
      <source>vertex</source>
      <translation>Punkt</translation>
    </message>
    <message>
      <source>rigview thins out no mesh</source>
      <translation>rigview dünnt kein Netz aus</translation>
    </message>
    <message>
      <source>morph target</source>
      <translation>Morphziel</translation>
    </message>
    <message>
      <source>which morph targets a character does without is a choice</source>
      <translation>auf welche Morphziele eine Figur verzichtet, ist eine Wahl</translation>
    </message>
    <message>
      <source>Channel moves nothing</source>
      <translation>Kanal bewegt nichts</translation>
    </message>
    <message>
      <source>Channel of one value</source>
      <translation>Kanal mit einem Wert</translation>
    </message>
    <message>
      <source>without target</source>
      <translation>ohne Ziel</translation>
    </message>
    <message>
      <source>for a property that another moves</source>
      <translation>für eine Eigenschaft, die ein anderer bewegt</translation>
    </message>
    <message>
      <source>They cost time and space, and programs that do play them show something else.</source>
      <translation>Sie kosten Zeit und Platz, und Programme, die sie doch abspielen, zeigen etwas anderes.</translation>
    </message>
    <message>
      <source>Exporters write them for joints that rest. They are read, stored and evaluated all the same.</source>
      <translation>Exporter schreiben sie für ruhende Gelenke. Gelesen, gespeichert und ausgewertet werden sie trotzdem.</translation>
    </message>
    <message>
      <source>Nothing of the character moves by them. A camera, a light or what an engine attaches there would.</source>
      <translation>An der Figur bewegt sich dadurch nichts. Eine Kamera, ein Licht oder was eine Engine dort anhängt, bewegte sich.</translation>
    </message>
    <message>
      <source>Delete channels without effect</source>
      <translation>Kanäle ohne Wirkung löschen</translation>
    </message>
    <message>
      <source>{channels} of {number} with one value in {keys}</source>
      <translation>{channels} von {number} mit einem Wert in {keys}</translation>
    </message>
    <message>
      <source>Prune channels of one value</source>
      <translation>Kanäle mit einem Wert entfernen</translation>
    </message>
    <message>
      <source>of morph weights without morph targets</source>
      <translation>von Morphgewichten ohne Morphziele</translation>
    </message>
    <message>
      <source>of skinned meshes, which glTF does not move</source>
      <translation>von gebundenen Netzen, die glTF nicht bewegt</translation>
    </message>
    <message>
      <source>{channels} of nodes that carry neither joint nor mesh</source>
      <translation>{channels} von Knoten, die weder Gelenk noch Netz tragen</translation>
    </message>
    <message>
      <source>what else hangs on these nodes is not known</source>
      <translation>was sonst an diesen Knoten hängt, ist nicht bekannt</translation>
    </message>
    <message>
      <source>Joint of the template missing</source>
      <translation>Gelenk der Vorlage fehlt</translation>
    </message>
    <message>
      <source>Joint under another name</source>
      <translation>Gelenk unter anderem Namen</translation>
    </message>
    <message>
      <source>Joint below another parent</source>
      <translation>Gelenk unter anderem Elternteil</translation>
    </message>
    <message>
      <source>Axes turned from the template's</source>
      <translation>Achsen gegen die Vorlage gedreht</translation>
    </message>
    <message>
      <source>Joint away from its place</source>
      <translation>Gelenk nicht an seinem Ort</translation>
    </message>
    <message>
      <source>Joint that the template does not have</source>
      <translation>Gelenk, das die Vorlage nicht hat</translation>
    </message>
    <message>
      <source>Joints listed in another order</source>
      <translation>Gelenke in anderer Reihenfolge</translation>
    </message>
    <message>
      <source>{first} or {rest}</source>
      <translation>{first} oder {rest}</translation>
    </message>
    <message>
      <source>Motions and tools made for the template move joints that are not there.</source>
      <translation>Bewegungen und Werkzeuge für die Vorlage bewegen Gelenke, die es nicht gibt.</translation>
    </message>
    <message>
      <source>part of the body</source>
      <translation>Körperteil</translation>
    </message>
    <message>
      <source>place</source>
      <translation>Platz</translation>
    </message>
    <message>
      <source>the template has no joint above it to hang it on</source>
      <translation>die Vorlage hat darüber kein Gelenk, an das es gehängt werden könnte</translation>
    </message>
    <message>
      <source>Hang {joint} below {parent}</source>
      <translation>{joint} unter {parent} hängen</translation>
    </message>
    <message>
      <source>Motions state turns about a joint's own axes: about other axes the same numbers turn it otherwise. How the arms hang at rest is left out of the comparison.</source>
      <translation>Bewegungen geben Drehungen um die eigenen Achsen eines Gelenks an: um andere Achsen drehen es dieselben Zahlen anders. Wie die Arme in Ruhe hängen, bleibt beim Vergleich außer Acht.</translation>
    </message>
    <message>
      <source>no joint is off</source>
      <translation>kein Gelenk ist daneben</translation>
    </message>
    <message>
      <source>Clothes, props and motions that fit the template are off by as much here.</source>
      <translation>Kleidung, Requisiten und Bewegungen, die zur Vorlage passen, liegen hier ebenso weit daneben.</translation>
    </message>
    <message>
      <source>What the template's motions do not move stays where its parent takes it.</source>
      <translation>Was die Bewegungen der Vorlage nicht bewegen, bleibt, wohin das Elternteil es mitnimmt.</translation>
    </message>
    <message>
      <source>Data that goes by the numbers of joints, such as baked motions, goes to others.</source>
      <translation>Daten, die nach den Nummern der Gelenke gehen, etwa gebackene Bewegungen, gehen an andere.</translation>
    </message>
    <message>
      <source>{number} of {joints} that {template} requires {verb} missing: {names}</source>
      <translation>es fehlen {number} von {joints}, die {template} verlangt: {names}</translation>
    </message>
    <message>
      <source>{joints} {verb} another name in {template}: {names}</source>
      <translation>{joints} mit anderem Namen in {template}: {names}</translation>
    </message>
    <message>
      <source>below {joint}</source>
      <translation>unter {joint}</translation>
    </message>
    <message>
      <source>at the top</source>
      <translation>ganz oben</translation>
    </message>
    <message>
      <source>below no joint of it</source>
      <translation>unter keinem ihrer Gelenke</translation>
    </message>
    <message>
      <source>Motions made for the template turn what hangs on a joint, and here that is not the same.</source>
      <translation>Bewegungen für die Vorlage drehen, was an einem Gelenk hängt, und das ist hier nicht dasselbe.</translation>
    </message>
    <message>
      <source>there is no joint {name}</source>
      <translation>es gibt kein Gelenk {name}</translation>
    </message>
    <message>
      <source>{joint} hangs as the template has it</source>
      <translation>{joint} hängt, wie es die Vorlage hat</translation>
    </message>
    <message>
      <source>axes of {joints} of {number} are turned by up to {angle:.1f}° from those of {template}, the most those of {joint}</source>
      <translation>Achsen gegen {template} um bis zu {angle:.1f}° gedreht: {joints} von {number}, am meisten {joint}</translation>
    </message>
    <message>
      <source>{joints} of {number} {verb} up to {share:.1f} % of the height from {verb2} place in {template}, the furthest {joint}</source>
      <translation>{joints} von {number} um bis zu {share:.1f} % der Größe von ihrem Ort in {template} entfernt, am weitesten {joint}</translation>
    </message>
    <message>
      <source>{joints} of {number} {verb} not in {template}: {names}</source>
      <translation>{joints} von {number} nicht in {template}: {names}</translation>
    </message>
    <message>
      <source>{joints} of {number} {verb} in another place of the list than in {template}, the first {joint}</source>
      <translation>{joints} von {number} an anderer Stelle der Liste als in {template}, zuerst {joint}</translation>
    </message>
    <message>
      <source>a new joint needs a place and weights, which are a choice</source>
      <translation>ein neues Gelenk braucht Ort und Gewichte, und die sind eine Wahl</translation>
    </message>
    <message>
      <source>By their {how} these are joints of the template; whoever looks them up by the template's names does not find them.</source>
      <translation>Erkennbar (über {how}) sind das Gelenke der Vorlage; wer sie unter den Namen der Vorlage sucht, findet sie nicht.</translation>
    </message>
    <message>
      <source>{joint} hangs {here}; {template} has it {there}</source>
      <translation>{joint} hängt {here}; in {template} hängt es {there}</translation>
    </message>
    <message>
      <source>where a joint is is a proportion or a pose of the character</source>
      <translation>wo ein Gelenk ist, gehört zu Wuchs oder Pose der Figur</translation>
    </message>
    <message>
      <source>what a joint carries needs another joint; HIE-UNUSED takes out those without use, and extras in the template allows names</source>
      <translation>was ein Gelenk trägt, braucht ein anderes; HIE-UNUSED nimmt ungenutzte heraus, und extras in der Vorlage erlaubt Namen</translation>
    </message>
    <message>
      <source>Rename {joints} as in {template}</source>
      <translation>{joints} wie in {template} benennen</translation>
    </message>
    <message>
      <source>Turn the axes of {joints} as in {template}</source>
      <translation>Achsen wie in {template} drehen: {joints}</translation>
    </message>
    <message>
      <source>List the joints of {skin} as in {template}</source>
      <translation>Die Gelenke von {skin} wie in {template} ordnen</translation>
    </message>
    <message>
      <source>Joint collapses</source>
      <translation>Gelenk knickt ein</translation>
    </message>
    <message>
      <source>Joint bulges</source>
      <translation>Gelenk wölbt sich auf</translation>
    </message>
    <message>
      <source>Volume of a joint changes</source>
      <translation>Volumen am Gelenk ändert sich</translation>
    </message>
    <message>
      <source>Skin stretched or crushed</source>
      <translation>Haut gedehnt oder gestaucht</translation>
    </message>
    <message>
      <source>Skin inside out</source>
      <translation>Haut umgestülpt</translation>
    </message>
    <message>
      <source>Skin goes through skin</source>
      <translation>Haut durchdringt Haut</translation>
    </message>
    <message>
      <source>bent by {bend:.0f}°, twisted by {twist:.0f}°</source>
      <translation>{bend:.0f}° gebeugt, {twist:.0f}° verdreht</translation>
    </message>
    <message>
      <source>in a range of motion, not in a clip of the file ({turned})</source>
      <translation>in einem Bewegungsumfang, in keinem Clip der Datei ({turned})</translation>
    </message>
    <message>
      <source>The character was put through a range of motion since {reason} by {angle:.0f}°; joints are told of from {factor:.0f} times the limit on.</source>
      <translation>Die Figur wurde durch einen Bewegungsumfang geführt, denn {reason} (um {angle:.0f}°); genannt werden Gelenke ab dem {factor:.0f}-Fachen der Grenze.</translation>
    </message>
    <message>
      <source>{joint} alike ({value})</source>
      <translation>{joint} ebenso ({value})</translation>
    </message>
    <message>
      <source>{joints} beyond the limit under {method}, at most {measure} {value} {where}: {names}</source>
      <translation>{joints} über der Grenze unter {method}, höchstens {measure} {value} {where}: {names}</translation>
    </message>
    <message>
      <source>put the twist joints to use</source>
      <translation>die Verdrehgelenke nutzen</translation>
    </message>
    <message>
      <source>{method} with them: {value}</source>
      <translation>{method} damit: {value}</translation>
    </message>
    <message>
      <source>the method is the engine's or the pane's to set, not the file's</source>
      <translation>das Verfahren wird in der Engine oder im Feld gewählt, nicht in der Datei</translation>
    </message>
    <message>
      <source>{first}, or {rest}</source>
      <translation>{first}, oder {rest}</translation>
    </message>
    <message>
      <source>no clip turns a joint of it</source>
      <translation>kein Clip dreht eines ihrer Gelenke</translation>
    </message>
    <message>
      <source>there is no clip that turns one</source>
      <translation>es gibt keinen Clip, der eines dreht</translation>
    </message>
    <message>
      <source>no clip of the file has the pose</source>
      <translation>kein Clip der Datei hat die Pose</translation>
    </message>
    <message>
      <source>what helps the worst joints was measured, these were not tried</source>
      <translation>gemessen wurde, was den schlimmsten Gelenken hilft, diese wurden nicht probiert</translation>
    </message>
    <message>
      <source>add {joints}</source>
      <translation>{joints} hinzufügen</translation>
    </message>
    <message>
      <source>Add {joints} to {limbs}</source>
      <translation>{joints} hinzufügen: {limbs}</translation>
    </message>
    <message>
      <source>Put the twist joints of {limbs} to use</source>
      <translation>Die Verdrehgelenke nutzen: {limbs}</translation>
    </message>
    <message>
      <source>Keys between frames</source>
      <translation>Schlüssel zwischen Bildern</translation>
    </message>
    <message>
      <source>Keys between frames are moved or lost by editors that work frame by frame.</source>
      <translation>Schlüssel zwischen Bildern werden von Editoren, die Bild für Bild arbeiten, verschoben oder verloren.</translation>
    </message>
    <message>
      <source>{times} of {number} up to {off:.2f} frames off a grid of {rate:g} to the second</source>
      <translation>{times} von {number} bis zu {off:.2f} Bilder neben einem Raster von {rate:g} je Sekunde</translation>
    </message>
    <message>
      <source>moving keys would change the motion</source>
      <translation>Schlüssel zu verschieben würde die Bewegung ändern</translation>
    </message>
    <message>
      <source>Loop in the hierarchy</source>
      <translation>Schleife in der Hierarchie</translation>
    </message>
    <message>
      <source>Joint number does not exist</source>
      <translation>Gelenknummer gibt es nicht</translation>
    </message>
    <message>
      <source>Mesh and skeleton apart</source>
      <translation>Netz und Skelett getrennt</translation>
    </message>
    <message>
      <source>Joint listed before its parent</source>
      <translation>Gelenk vor seinem Elternteil aufgeführt</translation>
    </message>
    <message>
      <source>under {joint}</source>
      <translation>unter {joint}</translation>
    </message>
    <message>
      <source>at the top of the scene</source>
      <translation>ganz oben in der Szene</translation>
    </message>
    <message>
      <source>the skeleton has several roots under different parents</source>
      <translation>das Skelett hat mehrere Wurzeln unter verschiedenen Elternteilen</translation>
    </message>
    <message>
      <source>A skeleton must be a tree. rigview ignores this link; other programs may refuse the file or hang.</source>
      <translation>Ein Skelett muss ein Baum sein. rigview übergeht diese Verbindung; andere Programme lehnen die Datei vielleicht ab oder hängen.</translation>
    </message>
    <message>
      <source>glTF ignores where a skinned mesh hangs. Programs that do not, and the thesis's plugin, want mesh and skeleton side by side under one parent.</source>
      <translation>glTF übergeht, wo ein gebundenes Netz hängt. Programme, die das nicht tun, und das Plug-in der Arbeit wollen Netz und Skelett nebeneinander unter einem Elternteil.</translation>
    </message>
    <message>
      <source>Programs that compose joints in one pass over the list, parents first, use last frame's parent here.</source>
      <translation>Programme, die Gelenke in einem Durchgang der Liste zusammensetzen, Eltern zuerst, nehmen hier das Elternteil vom vorigen Bild.</translation>
    </message>
    <message>
      <source>{joint} hangs below itself: {parent} lists it as a child</source>
      <translation>{joint} hängt unter sich selbst: {parent} führt es als Kind</translation>
    </message>
    <message>
      <source>{joint} has a second parent: {parent} lists it as a child</source>
      <translation>{joint} hat ein zweites Elternteil: {parent} führt es als Kind</translation>
    </message>
    <message>
      <source>The weights of joints that do not exist are left out here; a graphics card reads whatever lies behind the palette.</source>
      <translation>Die Gewichte von Gelenken, die es nicht gibt, bleiben hier weg; eine Grafikkarte liest, was hinter der Palette liegt.</translation>
    </message>
    <message>
      <source>{joint} hangs {where}, {other} {there}</source>
      <translation>{joint} hängt {where}, {other} {there}</translation>
    </message>
    <message>
      <source>{joints} of {number} {verb} before the parent, the first is {joint}</source>
      <translation>{joints} von {number} vor dem Elternteil, zuerst {joint}</translation>
    </message>
    <message>
      <source>which of the parents was meant cannot be known</source>
      <translation>welches der Elternteile gemeint war, lässt sich nicht wissen</translation>
    </message>
    <message>
      <source>{vertices} {verb} joint numbers up to {worst}; the skin has {joints}</source>
      <translation>{vertices} mit Gelenknummern bis {worst}; die Haut hat {joints}</translation>
    </message>
    <message>
      <source>Hang mesh and skeleton under one parent</source>
      <translation>Netz und Skelett unter ein Elternteil hängen</translation>
    </message>
    <message>
      <source>List parents before their children</source>
      <translation>Eltern vor ihren Kindern aufführen</translation>
    </message>
    <message>
      <source>the joints that were meant are unknown</source>
      <translation>die gemeinten Gelenke sind unbekannt</translation>
    </message>
    <message>
      <source>Too many influences</source>
      <translation>Zu viele Einflüsse</translation>
    </message>
    <message>
      <source>Weight too small</source>
      <translation>Gewicht zu klein</translation>
    </message>
    <message>
      <source>Joint twice on a vertex</source>
      <translation>Gelenk zweimal an einem Punkt</translation>
    </message>
    <message>
      <source>Joint without weight</source>
      <translation>Gelenk ohne Gewicht</translation>
    </message>
    <message>
      <source>Weights out of order</source>
      <translation>Gewichte ungeordnet</translation>
    </message>
    <message>
      <source>They move next to nothing, cost as much as others, and vanish as soon as weights are written as bytes.</source>
      <translation>Sie bewegen so gut wie nichts, kosten so viel wie andere und verschwinden, sobald Gewichte als Bytes geschrieben werden.</translation>
    </message>
    <message>
      <source>glTF forbids it. Programs that sort or look weights up by joint keep one of the two.</source>
      <translation>glTF verbietet es. Programme, die Gewichte nach Gelenken sortieren oder suchen, behalten eines der beiden.</translation>
    </message>
    <message>
      <source>The joints have to be there, and count where a mesh is split by joints.</source>
      <translation>Die Gelenke müssen da sein und zählen mit, wo ein Netz nach Gelenken geteilt wird.</translation>
    </message>
    <message>
      <source>The thesis's plugin takes the first influence for the heaviest one; programs that cut after the fourth influence cut the wrong ones.</source>
      <translation>Das Plug-in der Arbeit hält den ersten Einfluss für den schwersten; Programme, die nach dem vierten abschneiden, schneiden die falschen ab.</translation>
    </message>
    <message>
      <source>{vertices} {verb} up to {heaviest:.0f} influences (limit {most}); the largest {most} leave out up to {lost:.2g}</source>
      <translation>{vertices} mit bis zu {heaviest:.0f} Einflüssen (Grenze {most}); die größten {most} lassen bis zu {lost:.2g} weg</translation>
    </message>
    <message>
      <source>{vertices} {verb} weights below {below}, down to {smallest:.2g}</source>
      <translation>{vertices} mit Gewichten unter {below}, bis hinab zu {smallest:.2g}</translation>
    </message>
    <message>
      <source>{vertices} {verb} a joint twice</source>
      <translation>{vertices} mit einem Gelenk zweimal</translation>
    </message>
    <message>
      <source>{vertices} {verb} joints without giving them weight</source>
      <translation>{vertices} mit Gelenken ohne Gewicht</translation>
    </message>
    <message>
      <source>{vertices} {verb} a smaller weight before a larger one</source>
      <translation>{vertices} mit kleinerem Gewicht vor einem größeren</translation>
    </message>
    <message>
      <source>{source}. What is above the limit is dropped without notice.</source>
      <translation>{source}. Was über der Grenze ist, fällt ohne Hinweis weg.</translation>
    </message>
    <message>
      <source>Keep the {most} largest weights of every vertex</source>
      <translation>Die {most} größten Gewichte jedes Punkts behalten</translation>
    </message>
    <message>
      <source>Prune all weights below {below}</source>
      <translation>Alle Gewichte unter {below} entfernen</translation>
    </message>
    <message>
      <source>Merge the double influences of {vertices}</source>
      <translation>Doppelte Einflüsse zusammenlegen: {vertices}</translation>
    </message>
    <message>
      <source>Clear the idle slots of {vertices}</source>
      <translation>Ungenutzte Plätze leeren: {vertices}</translation>
    </message>
    <message>
      <source>Sort the influences of {vertices}</source>
      <translation>Einflüsse ordnen: {vertices}</translation>
    </message>
    <message>
      <source>Joint listed twice</source>
      <translation>Gelenk zweimal aufgeführt</translation>
    </message>
    <message>
      <source>Joint without use</source>
      <translation>Gelenk ohne Nutzen</translation>
    </message>
    <message>
      <source>End joint in the skin</source>
      <translation>Endgelenk in der Haut</translation>
    </message>
    <message>
      <source>Too many joints</source>
      <translation>Zu viele Gelenke</translation>
    </message>
    <message>
      <source>Bone without length</source>
      <translation>Knochen ohne Länge</translation>
    </message>
    <message>
      <source>Take {joints} out of the skin</source>
      <translation>{joints} aus der Haut nehmen</translation>
    </message>
    <message>
      <source>They cost a matrix each in every frame. Programs that count joints against a limit count these too.</source>
      <translation>Sie kosten in jedem Bild je eine Matrix. Programme, die Gelenke gegen eine Grenze zählen, zählen auch diese.</translation>
    </message>
    <message>
      <source>{title} takes</source>
      <translation>{title} nimmt</translation>
    </message>
    <message>
      <source>the entries state different inverse bind matrices</source>
      <translation>die Einträge geben verschiedene inverse Bindematrizen an</translation>
    </message>
    <message>
      <source>only {verb} where a bone ends</source>
      <translation>nur als Ende eines Knochens</translation>
    </message>
    <message>
      <source>{joints} of {number} {does}, the first is {joint}</source>
      <translation>{joints} von {number}: {does}, zuerst {joint}</translation>
    </message>
    <message>
      <source>the skin would have no joint left</source>
      <translation>die Haut hätte kein Gelenk mehr</translation>
    </message>
    <message>
      <source>the configuration allows</source>
      <translation>die Vorgaben erlauben</translation>
    </message>
    <message>
      <source>Joint and child are at one place, so the bone has no direction; it takes its parent's. Helper joints are often made like this on purpose.</source>
      <translation>Gelenk und Kind sind an einem Ort, also hat der Knochen keine Richtung; er nimmt die des Elternteils. Hilfsgelenke sind oft absichtlich so gemacht.</translation>
    </message>
    <message>
      <source>Programs that look joints up by node keep one entry and lose the weights of the other.</source>
      <translation>Programme, die Gelenke nach Knoten suchen, behalten einen Eintrag und verlieren die Gewichte des anderen.</translation>
    </message>
    <message>
      <source>{bones} without length, the first is {joint}</source>
      <translation>{bones} ohne Länge, zuerst {joint}</translation>
    </message>
    <message>
      <source>{joints} {verb} more than once in the skin's list, the first is {joint}</source>
      <translation>{joints} mehr als einmal in der Liste der Haut, zuerst {joint}</translation>
    </message>
    <message>
      <source>helper joints at their parent's place are legitimate</source>
      <translation>Hilfsgelenke am Ort ihres Elternteils sind zulässig</translation>
    </message>
    <message>
      <source>Merge the double joints</source>
      <translation>Doppelte Gelenke zusammenlegen</translation>
    </message>
    <message>
      <source>{source}. What is above the limit is split off into further draws, or not drawn.</source>
      <translation>{source}. Was über der Grenze ist, wird gesondert gezeichnet oder gar nicht.</translation>
    </message>
    <message>
      <source>which joints can be spared is for the rigger to say</source>
      <translation>welche Gelenke entbehrlich sind, entscheidet, wer riggt</translation>
    </message>
    <message>
      <source>Key is no number</source>
      <translation>Schlüssel ist keine Zahl</translation>
    </message>
    <message>
      <source>Keys out of order</source>
      <translation>Schlüssel ungeordnet</translation>
    </message>
    <message>
      <source>Quaternion not of length 1</source>
      <translation>Quaternion nicht der Länge 1</translation>
    </message>
    <message>
      <source>Quaternion changes its sign</source>
      <translation>Quaternion wechselt das Vorzeichen</translation>
    </message>
    <message>
      <source>rigview plays the other keys. Other programs show nothing at all from there on, or stop.</source>
      <translation>rigview spielt die anderen Schlüssel ab. Andere Programme zeigen von da an gar nichts oder brechen ab.</translation>
    </message>
    <message>
      <source>{keys} not after the one before</source>
      <translation>{keys} nicht nach dem vorigen</translation>
    </message>
    <message>
      <source>keys down to {lowest:.3g} s</source>
      <translation>Schlüssel bis hinab zu {lowest:.3g} s</translation>
    </message>
    <message>
      <source>glTF asks for ascending times from 0 on. rigview sorts the keys; other programs skip or repeat parts of the clip.</source>
      <translation>glTF verlangt aufsteigende Zeiten ab 0. rigview ordnet die Schlüssel; andere Programme überspringen oder wiederholen Teile des Clips.</translation>
    </message>
    <message>
      <source>Programs that do not normalise scale and shear the joint by the square of the length.</source>
      <translation>Programme, die nicht normieren, skalieren und scheren das Gelenk mit dem Quadrat der Länge.</translation>
    </message>
    <message>
      <source>quaternions of a cubic spline differ in length: at length 1 it takes another path</source>
      <translation>Quaternionen eines kubischen Splines sind verschieden lang: bei Länge 1 nimmt er einen anderen Weg</translation>
    </message>
    <message>
      <source>{keys} of {channels} {verb} no number</source>
      <translation>{keys} ohne Zahl, {channels}</translation>
    </message>
    <message>
      <source>Drop keys that are no numbers</source>
      <translation>Schlüssel entfernen, die keine Zahlen sind</translation>
    </message>
    <message>
      <source>{keys} in {channels}</source>
      <translation>{keys} in: {channels}</translation>
    </message>
    <message>
      <source>which order was meant is unknown</source>
      <translation>welche Reihenfolge gemeint war, ist unbekannt</translation>
    </message>
    <message>
      <source>{channels} with quaternions off length 1 by up to {off:.3g}</source>
      <translation>{channels} mit Quaternionen bis zu {off:.3g} neben Länge 1</translation>
    </message>
    <message>
      <source>Normalise the keys</source>
      <translation>Schlüssel normieren</translation>
    </message>
    <message>
      <source>A cubic spline follows the numbers, and so swings the joint round almost a whole turn.</source>
      <translation>Ein kubischer Spline folgt den Zahlen und schwingt das Gelenk so fast ganz herum.</translation>
    </message>
    <message>
      <source>It is the same rotation. Spherical interpolation, which glTF asks for, takes the short way all the same; players that blend the numbers whatever the sign do not.</source>
      <translation>Es ist dieselbe Drehung. Die sphärische Interpolation, die glTF verlangt, nimmt trotzdem den kurzen Weg; wer die Zahlen ohne Rücksicht auf das Vorzeichen überblendet, nicht.</translation>
    </message>
    <message>
      <source>{keys} of {channels} {verb} the long way round</source>
      <translation>{keys} auf dem langen Weg, {channels}</translation>
    </message>
    <message>
      <source>{keys} of {channels} {verb} the opposite sign of the key before</source>
      <translation>{keys} mit umgekehrtem Vorzeichen zum vorigen, {channels}</translation>
    </message>
    <message>
      <source>Turn keys the short way</source>
      <translation>Schlüssel auf dem kurzen Weg drehen</translation>
    </message>
    <message>
      <source>Give keys the sign of the key before</source>
      <translation>Schlüsseln das Vorzeichen des vorigen geben</translation>
    </message>
    <message>
      <source>Axes not mirrored</source>
      <translation>Achsen nicht gespiegelt</translation>
    </message>
    <message>
      <source>A pose pasted to the other side bends another way.</source>
      <translation>Eine auf die andere Seite übertragene Pose beugt anders.</translation>
    </message>
    <message>
      <source>all pairs mirror</source>
      <translation>alle Paare sind gespiegelt</translation>
    </message>
    <message>
      <source>each turn that mirrors them takes an axis off its bone, or twists a joint about it</source>
      <translation>jede Drehung, die sie spiegelt, nimmt eine Achse vom Knochen weg oder verdreht ein Gelenk darum</translation>
    </message>
    <message>
      <source>{pairs} of {number} with axes up to {angle:.0f}° off mirroring</source>
      <translation>{pairs} von {number} mit Achsen bis zu {angle:.0f}° neben der Spiegelung</translation>
    </message>
    <message>
      <source>Mirror the axes of {joints}</source>
      <translation>Achsen spiegeln: {joints}</translation>
    </message>
    <message>
      <source>Jump within a frame</source>
      <translation>Sprung innerhalb eines Bildes</translation>
    </message>
    <message>
      <source>Loop does not close</source>
      <translation>Schleife schließt nicht</translation>
    </message>
    <message>
      <source>Bone changes length</source>
      <translation>Knochen ändert seine Länge</translation>
    </message>
    <message>
      <source>Motion above the root joint</source>
      <translation>Bewegung über dem Wurzelgelenk</translation>
    </message>
    <message>
      <source>{joint} does not hang directly under {node}</source>
      <translation>{joint} hängt nicht direkt unter {node}</translation>
    </message>
    <message>
      <source>more than the skeleton hangs on {node}</source>
      <translation>an {node} hängt mehr als das Skelett</translation>
    </message>
    <message>
      <source>{node} turns or changes size, which cannot be baked without new keys</source>
      <translation>{node} dreht sich oder ändert die Größe, was ohne neue Schlüssel nicht zu backen ist</translation>
    </message>
    <message>
      <source>{joint} is scaled to nothing</source>
      <translation>{joint} ist auf nichts skaliert</translation>
    </message>
    <message>
      <source>Seen at a frame's pace this is a jump: a flip of an Euler solution, a cut, or a pop of inverse kinematics.</source>
      <translation>Im Takt der Bilder ist das ein Sprung: ein Umschlagen einer Euler-Lösung, ein Schnitt oder ein Ruck inverser Kinematik.</translation>
    </message>
    <message>
      <source>Played again and again, the clip jerks where it begins.</source>
      <translation>Immer wieder abgespielt ruckt der Clip an seinem Anfang.</translation>
    </message>
    <message>
      <source>Engines take root motion from the root joint. What moves above it is lost, or stays behind when the character is placed.</source>
      <translation>Engines nehmen die Wurzelbewegung vom Wurzelgelenk. Was sich darüber bewegt, geht verloren oder bleibt zurück, wenn die Figur gestellt wird.</translation>
    </message>
    <message>
      <source>{joint} states a matrix, which no key can move</source>
      <translation>{joint} ist als Matrix angegeben, die kein Schlüssel bewegen kann</translation>
    </message>
    <message>
      <source>{joints} {verb} up to {angle:.0f}° within a frame</source>
      <translation>{joints} mit bis zu {angle:.0f}° Drehung innerhalb eines Bildes</translation>
    </message>
    <message>
      <source>a cut may be meant; a flip is mended where the curve was made</source>
      <translation>ein Schnitt kann gewollt sein; ein Umschlagen wird dort behoben, wo die Kurve entstand</translation>
    </message>
    <message>
      <source>{joints} {verb} up to {away} off the first pose</source>
      <translation>{joints} am Ende bis zu {away} neben der ersten Pose</translation>
    </message>
    <message>
      <source>whether the clip repeats is not in the file</source>
      <translation>ob der Clip sich wiederholt, steht nicht in der Datei</translation>
    </message>
    <message>
      <source>{bones} {verb} length by up to {ratio:.3g} %</source>
      <translation>{bones} mit bis zu {ratio:.3g} % anderer Länge</translation>
    </message>
    <message>
      <source>Bones of a body keep their length. Retargeting and engines that keep rotations only lose the change. The keys are in the translation of {joint}.</source>
      <translation>Knochen eines Körpers behalten ihre Länge. Beim Übertragen und in Engines, die nur Drehungen behalten, geht die Änderung verloren. Die Schlüssel sind in der Verschiebung von {joint}.</translation>
    </message>
    <message>
      <source>stretch may be meant</source>
      <translation>Dehnung kann gewollt sein</translation>
    </message>
    <message>
      <source>{joint}, above the skeleton, carries the motion</source>
      <translation>{joint}, über dem Skelett, trägt die Bewegung</translation>
    </message>
    <message>
      <source>Bake the motion to the root joint</source>
      <translation>Die Bewegung ins Wurzelgelenk backen</translation>
    </message>
    <message>
      <source>without a name</source>
      <translation>ohne Namen</translation>
    </message>
    <message>
      <source>with the name of another joint</source>
      <translation>mit dem Namen eines anderen Gelenks</translation>
    </message>
    <message>
      <source>with the name of a joint of another skeleton</source>
      <translation>mit dem Namen eines Gelenks eines anderen Skeletts</translation>
    </message>
    <message>
      <source>in another namespace than the rest</source>
      <translation>in anderem Namensraum als die übrigen</translation>
    </message>
    <message>
      <source>Badly named joints</source>
      <translation>Schlecht benannte Gelenke</translation>
    </message>
    <message>
      <source>Left and right do not match</source>
      <translation>Links und rechts passen nicht</translation>
    </message>
    <message>
      <source>{verb} badly named: {what}</source>
      <translation>schlecht benannt: {what}</translation>
    </message>
    <message>
      <source>with characters that cannot stand in a name</source>
      <translation>mit Zeichen, die nicht in Namen stehen können</translation>
    </message>
    <message>
      <source>with the name of a mesh</source>
      <translation>mit dem Namen eines Netzes</translation>
    </message>
    <message>
      <source>{verb} the name of a joint of another skeleton</source>
      <translation>mit dem Namen eines Gelenks eines anderen Skeletts</translation>
    </message>
    <message>
      <source>Clips are retargeted, and skins exchanged, by the names of joints. Programs that find a name twice or not at all take the wrong joint or rename it.</source>
      <translation>Clips werden nach den Namen der Gelenke übertragen, Häute danach getauscht. Programme, die einen Namen zweimal oder gar nicht finden, nehmen das falsche Gelenk oder benennen es um.</translation>
    </message>
    <message>
      <source>{joints} of {number} {says}</source>
      <translation>{joints} von {number}: {says}</translation>
    </message>
    <message>
      <source>Mirroring, retargeting and inverse kinematics go by the side that a name states.</source>
      <translation>Spiegeln, Übertragen und inverse Kinematik gehen nach der Seite, die ein Name nennt.</translation>
    </message>
    <message>
      <source>Poses cannot be mirrored there. Props and asymmetric costumes are often meant like that.</source>
      <translation>Posen lassen sich dort nicht spiegeln. Requisiten und ungleichseitige Kostüme sind oft so gewollt.</translation>
    </message>
    <message>
      <source>Judged by the names, the feet would point backwards: the names give the sides as somebody in front of the character sees them. Retargeting by names exchanges left and right.</source>
      <translation>Nach den Namen würden die Füße nach hinten zeigen: die Namen nennen die Seiten, wie man sie von vorn sieht. Beim Übertragen nach Namen vertauschen sich links und rechts.</translation>
    </message>
    <message>
      <source>{joint} and {other} are on each other's side</source>
      <translation>{joint} und {other} sind je auf der Seite des anderen</translation>
    </message>
    <message>
      <source>{joints} {verb} no partner on the other side, the first is {joint}</source>
      <translation>{joints} ohne Gegenstück auf der anderen Seite, zuerst {joint}</translation>
    </message>
    <message>
      <source>left and right are exchanged in the names of {pairs} of joints, as the feet show</source>
      <translation>links und rechts sind in den Namen vertauscht, wie die Füße zeigen: {pairs} von Gelenken</translation>
    </message>
    <message>
      <source>Rename {joints}</source>
      <translation>{joints} umbenennen</translation>
    </message>
    <message>
      <source>Exchange the two names</source>
      <translation>Die beiden Namen tauschen</translation>
    </message>
    <message>
      <source>whether a partner was meant is for the rigger to say</source>
      <translation>ob ein Gegenstück gemeint war, entscheidet, wer riggt</translation>
    </message>
    <message>
      <source>Exchange the names of {pairs}</source>
      <translation>Namen tauschen: {pairs}</translation>
    </message>
    <message>
      <source>Nearest bone passed over</source>
      <translation>Nächster Knochen übergangen</translation>
    </message>
    <message>
      <source>Weights that were painted through to another limb, or found automatically, look like this.</source>
      <translation>So sehen Gewichte aus, die auf ein anderes Glied durchgemalt oder automatisch gefunden wurden.</translation>
    </message>
    <message>
      <source>The compensation measures the bulge from the bone of the heaviest joint, and takes that for the nearest one.</source>
      <translation>Der Ausgleich misst die Wölbung vom Knochen des schwersten Gelenks aus und hält den für den nächsten.</translation>
    </message>
    <message>
      <source>{vertices} {verb} a bone nearer than the one that moves them most, by up to {share:.2g} % of the size</source>
      <translation>{vertices} mit einem Knochen näher als dem, der am meisten bewegt, um bis zu {share:.2g} % der Größe</translation>
    </message>
    <message>
      <source>{why} Clothes and faces are often weighted otherwise on purpose.</source>
      <translation>{why} Kleidung und Gesichter sind oft absichtlich anders gewichtet.</translation>
    </message>
    <message>
      <source>which joint should move these vertices is a matter of design</source>
      <translation>welches Gelenk diese Punkte bewegen soll, ist eine Frage der Gestaltung</translation>
    </message>
    <message>
      <source>Bone off the primary axis</source>
      <translation>Knochen neben der Hauptachse</translation>
    </message>
    <message>
      <source> {elsewhere} of them {verb} nearer to another axis.</source>
      <translation> Näher an einer anderen Achse: {elsewhere}.</translation>
    </message>
    <message>
      <source>{bones} of {number} up to {angle:.1f}° off {axis}, which {following} follow</source>
      <translation>{bones} von {number} bis zu {angle:.1f}° neben {axis}, der {following} folgen</translation>
    </message>
    <message>
      <source>{bones} of {number} up to {angle:.1f}° off {axis}, the nearest axis</source>
      <translation>{bones} von {number} bis zu {angle:.1f}° neben {axis}, der nächsten Achse</translation>
    </message>
    <message>
      <source> It is nearer to another axis.</source>
      <translation> Näher liegt eine andere Achse.</translation>
    </message>
    <message>
      <source>{following} of {number} bones run along their joint's {axis}. {verb} up to {angle:.0f}° away, so a twist turns about the wrong line.</source>
      <translation>{following} von {number} Knochen verlaufen entlang {axis} ihres Gelenks. {verb} bis zu {angle:.0f}° davon weg, also dreht eine Verdrehung um die falsche Linie.</translation>
    </message>
    <message>
      <source>Re-orient {joints}</source>
      <translation>{joints} neu ausrichten</translation>
    </message>
    <message>
      <source>None</source>
      <translation>Keine</translation>
    </message>
    <message>
      <source> in {clips}</source>
      <translation> in: {clips}</translation>
    </message>
    <message>
      <source>{objects} that {rule} names</source>
      <translation>{objects} aus {rule}</translation>
    </message>
    <message>
      <source>{objects} {verb} left out{where}</source>
      <translation>{objects} ausgelassen{where}</translation>
    </message>
    <message>
      <source>Beyond their limits there, too: {measures}.</source>
      <translation>Dort auch über der Grenze: {measures}.</translation>
    </message>
    <message>
      <source>at {at} in {clips} ({turned})</source>
      <translation>bei {at} in {clips} ({turned})</translation>
    </message>
    <message>
      <source>use {method}</source>
      <translation>{method} verwenden</translation>
    </message>
    <message>
      <source>{first} nor {rest}</source>
      <translation>{first} noch {rest}</translation>
    </message>
    <message>
      <source>neither {methods} makes it half as bad</source>
      <translation>weder {methods} macht es halb so schlimm</translation>
    </message>
    <message>
      <source>, though {measure} is {value} then (limit {limit})</source>
      <translation>, doch {measure} ist dann {value} (Grenze {limit})</translation>
    </message>
    <message>
      <source>frame {frame:.0f} ({time})</source>
      <translation>Bild {frame:.0f} ({time})</translation>
    </message>
    <message>
      <source>{clip} and at least {clips}</source>
      <translation>{clip} und mindestens {clips}</translation>
    </message>
    <message>
      <source>twisted by {twist:.0f}°</source>
      <translation>{twist:.0f}° verdreht</translation>
    </message>
    <message>
      <source>bent by {bend:.0f}°</source>
      <translation>{bend:.0f}° gebeugt</translation>
    </message>
    <message>
      <source>no other method was compared</source>
      <translation>kein anderes Verfahren wurde verglichen</translation>
    </message>
    <message>
      <source>{method} does not make it half as bad</source>
      <translation>{method} macht es nicht halb so schlimm</translation>
    </message>
    <message>
      <source>{method} turns the flesh about {joint} inside out (volume {value})</source>
      <translation>{method} stülpt das Fleisch um {joint} um (Volumen {value})</translation>
    </message>
    <message>
      <source>{method} loses {value} of the width of {joint}</source>
      <translation>{method} verliert {value} der Breite von {joint}</translation>
    </message>
    <message>
      <source>{method} bulges {joint} by {value} of its radius</source>
      <translation>{method} wölbt {joint} um {value} des Radius auf</translation>
    </message>
    <message>
      <source>{method} changes the volume about {joint} by {value}</source>
      <translation>{method} ändert das Volumen um {joint} um {value}</translation>
    </message>
    <message>
      <source>{method} stretches the skin of {joint} {value}</source>
      <translation>{method} dehnt die Haut von {joint} {value}</translation>
    </message>
    <message>
      <source>{method} squeezes edges of {joint} to {value} of their length</source>
      <translation>{method} staucht Kanten von {joint} auf {value} ihrer Länge</translation>
    </message>
    <message>
      <source>{method} makes faces of {joint} grow {value}</source>
      <translation>{method} lässt Flächen von {joint} {value} wachsen</translation>
    </message>
    <message>
      <source>{method} turns {value} of the skin of {joint} inside out</source>
      <translation>{method} stülpt {value} der Haut von {joint} um</translation>
    </message>
    <message>
      <source>{method} lets {value} of the faces of {joint} cross one another</source>
      <translation>{method} lässt {value} der Flächen von {joint} einander durchdringen</translation>
    </message>
    <message>
      <source>The limb pinches.</source>
      <translation>Das Glied schnürt sich ein.</translation>
    </message>
    <message>
      <source>The outer side of the bend stands out further than at bind.</source>
      <translation>Die Außenseite der Beugung steht weiter heraus als beim Binden.</translation>
    </message>
    <message>
      <source>The flesh about the joint shrinks or swells, which no limb does.</source>
      <translation>Das Fleisch um das Gelenk schrumpft oder schwillt, was kein Glied tut.</translation>
    </message>
    <message>
      <source>Textures smear and shading breaks where skin is pulled long or squeezed flat. Stray weights and missing joints do that, too.</source>
      <translation>Texturen verschmieren und Schattierung bricht, wo Haut lang gezogen oder flach gedrückt wird. Verirrte Gewichte und fehlende Gelenke bewirken das auch.</translation>
    </message>
    <message>
      <source>The surface folds over: dark or missing patches, mostly at the inside of a bend.</source>
      <translation>Die Fläche faltet sich um: dunkle oder fehlende Stellen, meist innen an einer Beugung.</translation>
    </message>
    <message>
      <source>Skin goes through skin: textures and shadows break where it does.</source>
      <translation>Haut geht durch Haut: dort brechen Texturen und Schatten.</translation>
    </message>
    <message>
      <source>Blended matrices lose its cross-section where a joint twists or bends far.</source>
      <translation>Überblendete Matrizen verlieren seinen Querschnitt, wo sich ein Gelenk weit verdreht oder beugt.</translation>
    </message>
    <message>
      <source>Blended rotations move the skin on a circle about the joint.</source>
      <translation>Überblendete Drehungen bewegen die Haut auf einem Kreis um das Gelenk.</translation>
    </message>
    <message>
      <source>Joint twisted about its bone</source>
      <translation>Gelenk um seinen Knochen verdreht</translation>
    </message>
    <message>
      <source>Untwist {joints}</source>
      <translation>{joints} zurückdrehen</translation>
    </message>
    <message>
      <source>{fix}, turning {turned}</source>
      <translation>{fix}, dabei {turned} gedreht</translation>
    </message>
    <message>
      <source>no joint is twisted</source>
      <translation>kein Gelenk ist verdreht</translation>
    </message>
    <message>
      <source>Bending about the same local axis bends the chain sideways there. Limbs are often rolled on purpose where they leave the body.</source>
      <translation>Beugen um dieselbe lokale Achse beugt die Kette dort seitwärts. Glieder sind am Ansatz des Körpers oft absichtlich gerollt.</translation>
    </message>
    <message>
      <source>{joints} of {number} twisted up to {angle:.0f}° about the bone against the joint above</source>
      <translation>{joints} von {number} bis zu {angle:.0f}° um den Knochen gegen das Gelenk darüber verdreht</translation>
    </message>
    <message>
      <source>Scale cancelled in the bind</source>
      <translation>Skalierung in der Bindung aufgehoben</translation>
    </message>
    <message>
      <source>Bind scales the mesh</source>
      <translation>Bindung skaliert das Netz</translation>
    </message>
    <message>
      <source>Negative scale on two axes is a half turn, and mirrors nothing. Programs that take rotation and scale out of the matrix read another rotation than the file states.</source>
      <translation>Negative Skalierung auf zwei Achsen ist eine halbe Drehung und spiegelt nichts. Programme, die Drehung und Skalierung aus der Matrix nehmen, lesen eine andere Drehung, als die Datei angibt.</translation>
    </message>
    <message>
      <source>Negative scale</source>
      <translation>Negative Skalierung</translation>
    </message>
    <message>
      <source>A mirrored joint has no rotation of its own, so dual quaternions and many engines show something else than the file means.</source>
      <translation>Ein gespiegeltes Gelenk hat keine eigene Drehung, also zeigen duale Quaternionen und viele Engines etwas anderes, als die Datei meint.</translation>
    </message>
    <message>
      <source>a skin matrix scales unequally or mirrors</source>
      <translation>eine Hautmatrix skaliert ungleich oder spiegelt</translation>
    </message>
    <message>
      <source>the joints scale the mesh by different factors</source>
      <translation>die Gelenke skalieren das Netz verschieden</translation>
    </message>
    <message>
      <source>an inverse bind matrix is not affine</source>
      <translation>eine inverse Bindematrix ist nicht affin</translation>
    </message>
    <message>
      <source>{joint} has negative scale on {axes}</source>
      <translation>{joint} hat negative Skalierung auf {axes}</translation>
    </message>
    <message>
      <source>{joint} is mirrored by {node}, above it</source>
      <translation>{joint} ist durch {node} darüber gespiegelt</translation>
    </message>
    <message>
      <source>the mirroring comes from a node above the joint</source>
      <translation>die Spiegelung kommt von einem Knoten über dem Gelenk</translation>
    </message>
    <message>
      <source>Turn {joint} instead of mirroring</source>
      <translation>{joint} drehen statt spiegeln</translation>
    </message>
    <message>
      <source>the sign of the scale changes during a clip</source>
      <translation>das Vorzeichen der Skalierung wechselt in einem Clip</translation>
    </message>
    <message>
      <source>it has no negative scale of its own: a node above it mirrors</source>
      <translation>es hat keine eigene negative Skalierung: ein Knoten darüber spiegelt</translation>
    </message>
    <message>
      <source>negative scale on one axis or on three mirrors, which no rotation does</source>
      <translation>negative Skalierung auf einer oder drei Achsen spiegelt, was keine Drehung tut</translation>
    </message>
    <message>
      <source>the node states a matrix, without a scale of its own</source>
      <translation>der Knoten ist als Matrix angegeben, ohne eigene Skalierung</translation>
    </message>
    <message>
      <source>Usually an armature exported in other units (the 100 / 0.01 pair). It skins right, but quaternions taken from these matrices are wrong, and physics and attached objects inherit the scale.</source>
      <translation>Meist ein Skelett, das in anderen Einheiten exportiert wurde (das Paar 100 / 0,01). Es verformt richtig, aber Quaternionen aus diesen Matrizen sind falsch, und Physik und angehängte Objekte erben die Skalierung.</translation>
    </message>
    <message>
      <source>{joint} scales unequally or mirrors</source>
      <translation>{joint} skaliert ungleich oder spiegelt</translation>
    </message>
    <message>
      <source>The mesh was attached at another size than the skeleton has. Linear skinning hides it; dual quaternions know no scale and need it taken out first.</source>
      <translation>Das Netz wurde in anderer Größe gebunden, als das Skelett hat. Lineare Verformung verdeckt das; duale Quaternionen kennen keine Skalierung und brauchen sie vorher herausgenommen.</translation>
    </message>
    <message>
      <source>{joint} and {joints} are mirrored by {node}, above them</source>
      <translation>{joint} und {joints} sind durch {node} darüber gespiegelt</translation>
    </message>
    <message>
      <source>{joints} scaled by {value:.4g} in model space, cancelled by {inverse:.4g} in the inverse bind matrix</source>
      <translation>{joints} im Modellraum um {value:.4g} skaliert, in der inversen Bindematrix um {inverse:.4g} aufgehoben</translation>
    </message>
    <message>
      <source>{joints} {verb} the mesh by {value:.4g} at rest</source>
      <translation>{joints} mit Skalierung des Netzes um {value:.4g} in Ruhe</translation>
    </message>
    <message>
      <source>Bake inherited scale</source>
      <translation>Geerbte Skalierung backen</translation>
    </message>
    <message>
      <source>Fold the bind's scale into the mesh</source>
      <translation>Die Skalierung der Bindung ins Netz übernehmen</translation>
    </message>
    <message>
      <source>Unequal scale</source>
      <translation>Ungleiche Skalierung</translation>
    </message>
    <message>
      <source>Joint without size</source>
      <translation>Gelenk ohne Größe</translation>
    </message>
    <message>
      <source>Scale changes in a clip</source>
      <translation>Skalierung ändert sich in einem Clip</translation>
    </message>
    <message>
      <source>at rest</source>
      <translation>in Ruhe</translation>
    </message>
    <message>
      <source>Unequal scale turns to shear as soon as a joint below rotates: engines that keep translation, rotation and scale apart show another shape.</source>
      <translation>Ungleiche Skalierung wird zu Scherung, sobald sich ein Gelenk darunter dreht: Engines, die Verschiebung, Drehung und Skalierung getrennt halten, zeigen eine andere Form.</translation>
    </message>
    <message>
      <source>in {clip} at {time:.2f} s</source>
      <translation>in {clip} bei {time:.2f} s</translation>
    </message>
    <message>
      <source>A joint without size has no rotation: dual quaternions and normals are lost there. Mostly a trick to hide a part.</source>
      <translation>Ein Gelenk ohne Größe hat keine Drehung: duale Quaternionen und Normalen gehen dort verloren. Meist ein Kniff, um einen Teil zu verstecken.</translation>
    </message>
    <message>
      <source>Squash and stretch is lost where only rotations are kept, and dual quaternions carry no scale.</source>
      <translation>Stauchen und Dehnen geht verloren, wo nur Drehungen behalten werden, und duale Quaternionen tragen keine Skalierung.</translation>
    </message>
    <message>
      <source>{joints} {verb} the mesh unequally, by up to {ratio:.3g} %</source>
      <translation>{joints} mit ungleicher Dehnung des Netzes, bis zu {ratio:.3g} %</translation>
    </message>
    <message>
      <source>a clip</source>
      <translation>einem Clip</translation>
    </message>
    <message>
      <source>{joint} is scaled to nothing {when}</source>
      <translation>{joint} ist auf nichts skaliert {when}</translation>
    </message>
    <message>
      <source>{joints} {verb} scale by up to {factor:.3g} in {clip}</source>
      <translation>{joints} mit bis zu {factor:.3g} geänderter Skalierung in {clip}</translation>
    </message>
    <message>
      <source>Fold the stretch into the mesh</source>
      <translation>Die Dehnung ins Netz übernehmen</translation>
    </message>
    <message>
      <source>hiding a part like this may be meant</source>
      <translation>einen Teil so zu verstecken kann gewollt sein</translation>
    </message>
    <message>
      <source>the change of size is what the clip shows</source>
      <translation>die Änderung der Größe ist, was der Clip zeigt</translation>
    </message>
    <message>
      <source>Seam tears</source>
      <translation>Naht reißt</translation>
    </message>
    <message>
      <source>Texture and hard-edge seams split vertices; where the halves follow different joints, a gap opens.</source>
      <translation>Nähte von Texturen und harten Kanten teilen Punkte; wo die Hälften verschiedenen Gelenken folgen, klafft eine Lücke.</translation>
    </message>
    <message>
      <source>{vertices} {verb} a place with others of different weights, by up to {weight:.2g}</source>
      <translation>{vertices} an einem Ort mit anderen von anderen Gewichten, um bis zu {weight:.2g}</translation>
    </message>
    <message>
      <source>Average the weights along seams</source>
      <translation>Gewichte entlang der Nähte mitteln</translation>
    </message>
    <message>
      <source>{vertices} of {file}</source>
      <translation>{vertices} aus {file}</translation>
    </message>
    <message>
      <source>Where two skins meet and follow different joints, a gap opens.</source>
      <translation>Wo zwei Häute sich treffen und verschiedenen Gelenken folgen, klafft eine Lücke.</translation>
    </message>
    <message>
      <source>{vertices} {verb} a place with {others}, and {verb2} other weights, by up to {value:.2g}</source>
      <translation>{vertices} an einem Ort mit {others}, mit anderen Gewichten, um bis zu {value:.2g}</translation>
    </message>
    <message>
      <source>which of the two is right is not known; rigview transfer copies one</source>
      <translation>welches von beiden richtig ist, ist nicht bekannt; rigview transfer kopiert eines</translation>
    </message>
    <message>
      <source>{says} in {clip}</source>
      <translation>{says} in {clip}</translation>
    </message>
    <message>
      <source>the clip would have no channel left</source>
      <translation>der Clip hätte keinen Kanal mehr</translation>
    </message>
    <message>
      <source>{fix} in {objects}</source>
      <translation>{fix} ({objects})</translation>
    </message>
    <message>
      <source>{fix} and mend {nodes}</source>
      <translation>{fix} und {nodes} in Ordnung bringen</translation>
    </message>
    <message>
      <source>{message} (also in {objects})</source>
      <translation>{message} (auch: {objects})</translation>
    </message>
    <message>
      <source>, in {number} skins</source>
      <translation>, in {number} Häuten</translation>
    </message>
    <message>
      <source>, and {clips}</source>
      <translation>, und {clips}</translation>
    </message>
    <message>
      <source>Body lies or looks away</source>
      <translation>Körper liegt oder schaut weg</translation>
    </message>
    <message>
      <source>no quarter turn brings it nearer</source>
      <translation>keine Vierteldrehung bringt ihn näher</translation>
    </message>
    <message>
      <source>Characters arrive lying down or looking away, and every engine is told to turn them.</source>
      <translation>Figuren kommen liegend oder abgewandt an, und jede Engine muss sie drehen.</translation>
    </message>
    <message>
      <source>another body hangs under the same node and needs another turn</source>
      <translation>ein anderer Körper hängt unter demselben Knoten und braucht eine andere Drehung</translation>
    </message>
    <message>
      <source>Turn the scene upright and forwards</source>
      <translation>Die Szene aufrecht und nach vorn drehen</translation>
    </message>
    <message>
      <source>the body stands along {axis}; {who} wants {wanted}</source>
      <translation>der Körper steht entlang {axis}; {who} will {wanted}</translation>
    </message>
    <message>
      <source>the body faces towards {axis}; {who} wants {wanted}</source>
      <translation>der Körper schaut nach {axis}; {who} will {wanted}</translation>
    </message>
    <message>
      <source>the body stands {angle:.0f}° off {wanted}</source>
      <translation>der Körper steht {angle:.0f}° neben {wanted}</translation>
    </message>
    <message>
      <source>the body faces {angle:.0f}° off {wanted}</source>
      <translation>der Körper schaut {angle:.0f}° neben {wanted}</translation>
    </message>
    <message>
      <source>Stray weight</source>
      <translation>Verirrtes Gewicht</translation>
    </message>
    <message>
      <source>Such weights are left over from automatic weighting or from painting through the body: these vertices stand out when the joint moves.</source>
      <translation>Solche Gewichte bleiben vom automatischen Gewichten oder vom Malen durch den Körper übrig: diese Punkte stehen heraus, wenn sich das Gelenk bewegt.</translation>
    </message>
    <message>
      <source>apart from the other vertices of the joint</source>
      <translation>getrennt von den anderen Punkten des Gelenks</translation>
    </message>
    <message>
      <source>{vertices} {verb} {joint} (weight up to {weight:.2f}), {where}</source>
      <translation>{vertices} {verb} {joint} (Gewicht bis zu {weight:.2f}), {where}</translation>
    </message>
    <message>
      <source>Remove the stray weights of {vertices}</source>
      <translation>Verirrte Gewichte entfernen: {vertices}</translation>
    </message>
    <message>
      <source>Sides weighted differently</source>
      <translation>Seiten verschieden gewichtet</translation>
    </message>
    <message>
      <source>The two sides of the body bend differently.</source>
      <translation>Die beiden Seiten des Körpers beugen sich verschieden.</translation>
    </message>
    <message>
      <source>{vertices} {verb} other weights than on the other side, by up to {weight:.2f}</source>
      <translation>{vertices} mit anderen Gewichten als auf der anderen Seite, um bis zu {weight:.2f}</translation>
    </message>
    <message>
      <source>Mirror the weights from left to right</source>
      <translation>Die Gewichte von links nach rechts spiegeln</translation>
    </message>
    <message>
      <source>Several roots</source>
      <translation>Mehrere Wurzeln</translation>
    </message>
    <message>
      <source>Mesh has a transform of its own</source>
      <translation>Netz hat eine eigene Transformation</translation>
    </message>
    <message>
      <source>Node between joints</source>
      <translation>Knoten zwischen Gelenken</translation>
    </message>
    <message>
      <source>Hang {joints} past {node}</source>
      <translation>{joints} an {node} vorbei hängen</translation>
    </message>
    <message>
      <source>The file calls them bones, but no vertex follows them. In a glTF made of it they are plain nodes, and programs that read joints only leave them out.</source>
      <translation>Die Datei nennt sie Knochen, aber kein Punkt folgt ihnen. In einer glTF daraus sind sie bloße Knoten, und Programme, die nur Gelenke lesen, lassen sie weg.</translation>
    </message>
    <message>
      <source>Programs that read joints only, or reset the armature, show the character without this turn.</source>
      <translation>Programme, die nur Gelenke lesen oder das Skelett zurücksetzen, zeigen die Figur ohne diese Drehung.</translation>
    </message>
    <message>
      <source>List {node} among the joints</source>
      <translation>{node} unter den Gelenken aufführen</translation>
    </message>
    <message>
      <source>{bones} {verb} in no skin, the first is {joint}</source>
      <translation>{bones} {verb} in keiner Haut, zuerst {joint}</translation>
    </message>
    <message>
      <source>glTF asks for one node above all joints of a skin. Engines move a character by that node, and import one skeleton per root.</source>
      <translation>glTF verlangt einen Knoten über allen Gelenken einer Haut. Engines bewegen eine Figur an diesem Knoten und importieren je Wurzel ein Skelett.</translation>
    </message>
    <message>
      <source>{joint} shows something that no joint moves</source>
      <translation>{joint} zeigt etwas, das kein Gelenk bewegt</translation>
    </message>
    <message>
      <source>{joint} has children that would move with it</source>
      <translation>{joint} hat Kinder, die sich mitbewegen würden</translation>
    </message>
    <message>
      <source>{joint} is animated</source>
      <translation>{joint} ist animiert</translation>
    </message>
    <message>
      <source>Programs that read joints only leave its transform out, and everything below it moves.</source>
      <translation>Programme, die nur Gelenke lesen, lassen seine Transformation weg, und alles darunter bewegt sich.</translation>
    </message>
    <message>
      <source>This is the turn between Z up and Y up.</source>
      <translation>Das ist die Drehung zwischen Z oben und Y oben.</translation>
    </message>
    <message>
      <source>{joints} hang at the top of the scene, with no node above them all: {names}</source>
      <translation>{joints} hängen ganz oben in der Szene, ohne einen Knoten über allen: {names}</translation>
    </message>
    <message>
      <source>glTF ignores where a skinned mesh hangs, and rigview does; programs that do not show the mesh elsewhere than its skeleton.</source>
      <translation>glTF übergeht, wo ein gebundenes Netz hängt, rigview auch; Programme, die das nicht tun, zeigen das Netz anderswo als sein Skelett.</translation>
    </message>
    <message>
      <source>List {bones} in the skin</source>
      <translation>{bones} in der Haut aufführen</translation>
    </message>
    <message>
      <source>Put a root above all joints</source>
      <translation>Eine Wurzel über alle Gelenke setzen</translation>
    </message>
    <message>
      <source>{joint}, above the skeleton, is turned by {angle:.0f}°</source>
      <translation>{joint}, über dem Skelett, ist um {angle:.0f}° gedreht</translation>
    </message>
    <message>
      <source>Drop the mesh's own transform</source>
      <translation>Die eigene Transformation des Netzes entfernen</translation>
    </message>
    <message>
      <source>Turn the joints instead of the armature</source>
      <translation>Die Gelenke statt des Skeletts drehen</translation>
    </message>
    <message>
      <source>{joint}, which is no joint, stands between joints and has a transform</source>
      <translation>{joint}, das kein Gelenk ist, steht zwischen Gelenken und hat eine Transformation</translation>
    </message>
    <message>
      <source>{joint}, which is no joint, stands between joints and moves in a clip</source>
      <translation>{joint}, das kein Gelenk ist, steht zwischen Gelenken und bewegt sich in einem Clip</translation>
    </message>
    <message>
      <source>{joint} is animated against the parent it shares with its skeleton</source>
      <translation>{joint} ist gegen das Elternteil animiert, das es mit seinem Skelett teilt</translation>
    </message>
    <message>
      <source>{joint} is moved, turned or scaled against the parent it shares with its skeleton</source>
      <translation>{joint} ist gegen das Elternteil, das es mit seinem Skelett teilt, verschoben, gedreht oder skaliert</translation>
    </message>
    <message>
      <source>Other units</source>
      <translation>Andere Einheiten</translation>
    </message>
    <message>
      <source>glTF counts in metres; this file seems to count in other units. Physics, shadows and cameras take it at its word.</source>
      <translation>glTF zählt in Metern; diese Datei zählt anscheinend in anderen Einheiten. Physik, Schatten und Kameras nehmen sie beim Wort.</translation>
    </message>
    <message>
      <source>all its vertices stand in one place</source>
      <translation>alle seine Punkte stehen an einem Ort</translation>
    </message>
    <message>
      <source>the character is {height:.3g} m tall</source>
      <translation>die Figur ist {height:.3g} m groß</translation>
    </message>
    <message>
      <source>other characters of the file have another size</source>
      <translation>andere Figuren der Datei haben eine andere Größe</translation>
    </message>
    <message>
      <source>Scale the whole file by {value:g}</source>
      <translation>Die ganze Datei um {value:g} skalieren</translation>
    </message>
    <message>
      <source>Mesh and skeleton seem to be stated in different units.</source>
      <translation>Netz und Skelett sind anscheinend in verschiedenen Einheiten angegeben.</translation>
    </message>
    <message>
      <source>skeleton and mesh differ in size {ratio:.3g} times</source>
      <translation>Skelett und Netz unterscheiden sich {ratio:.3g}-fach in der Größe</translation>
    </message>
    <message>
      <source>which of the two has the right size is unknown</source>
      <translation>welches von beiden die richtige Größe hat, ist unbekannt</translation>
    </message>
    <message>
      <source>Something could not be read</source>
      <translation>Etwas war nicht lesbar</translation>
    </message>
    <message>
      <source>The shape is whole; its material shows without this.</source>
      <translation>Die Form ist vollständig; ihr Material wird ohne das gezeigt.</translation>
    </message>
    <message>
      <source>The rig opens without it; what it would show is missing.</source>
      <translation>Das Rig öffnet sich ohne das; was es zeigen würde, fehlt.</translation>
    </message>
    <message>
      <source>the data are not in the file</source>
      <translation>die Daten sind nicht in der Datei</translation>
    </message>
    <message>
      <source>Weights do not add up</source>
      <translation>Gewichte ergeben nicht eins</translation>
    </message>
    <message>
      <source>Weight outside 0 to 1</source>
      <translation>Gewicht außerhalb 0 bis 1</translation>
    </message>
    <message>
      <source>Vertices without weights</source>
      <translation>Punkte ohne Gewichte</translation>
    </message>
    <message>
      <source>the mesh is shown with several skins</source>
      <translation>das Netz wird mit mehreren Häuten gezeigt</translation>
    </message>
    <message>
      <source>the skin has no joints, so that the mesh follows its node</source>
      <translation>die Haut hat keine Gelenke, sodass das Netz seinem Knoten folgt</translation>
    </message>
    <message>
      <source>A weight is a share between 0 and 1. Others are clamped by some programs and tear the mesh in others.</source>
      <translation>Ein Gewicht ist ein Anteil zwischen 0 und 1. Andere werden von manchen Programmen gekappt und zerreißen in anderen das Netz.</translation>
    </message>
    <message>
      <source>No joint moves these vertices. rigview leaves them where they are in mesh space; other programs pull them to the origin or to the first joint.</source>
      <translation>Kein Gelenk bewegt diese Punkte. rigview lässt sie, wo sie im Raum des Netzes sind; andere Programme ziehen sie zum Ursprung oder zum ersten Gelenk.</translation>
    </message>
    <message>
      <source>towards</source>
      <translation>hin zum</translation>
    </message>
    <message>
      <source>away from</source>
      <translation>weg vom</translation>
    </message>
    <message>
      <source>{vertices} {verb} weights off by up to {worst:.3g} (limit {limit:g})</source>
      <translation>{vertices} mit Gewichten bis zu {worst:.3g} daneben (Grenze {limit:g})</translation>
    </message>
    <message>
      <source>weights down to {value:.3g}</source>
      <translation>Gewichte bis hinab zu {value:.3g}</translation>
    </message>
    <message>
      <source>weights up to {value:.3g}</source>
      <translation>Gewichte bis {value:.3g}</translation>
    </message>
    <message>
      <source>weights that are no finite number</source>
      <translation>Gewichte, die keine endliche Zahl sind</translation>
    </message>
    <message>
      <source>{vertices} without any weight</source>
      <translation>{vertices} ganz ohne Gewicht</translation>
    </message>
    <message>
      <source>Linear skinning moves these vertices {ways} the origin by up to {moved:.3g} m at bind; dual quaternion skinning does not mind. Dividing by the sum moves them to where the weights mean them to be.</source>
      <translation>Lineare Verformung bewegt diese Punkte beim Binden um bis zu {moved:.3g} m {ways} Ursprung; duale Quaternionen stört das nicht. Durch die Summe geteilt kommen sie dorthin, wo die Gewichte sie meinen.</translation>
    </message>
    <message>
      <source>Normalise {vertices}</source>
      <translation>{vertices} normieren</translation>
    </message>
    <message>
      <source>Clamp the weights of {vertices}</source>
      <translation>Gewichte kappen: {vertices}</translation>
    </message>
    <message>
      <source>Bind {vertices} to a neutral joint</source>
      <translation>{vertices} an ein neutrales Gelenk binden</translation>
    </message>
    <message>
      <source>Mesh is inside out</source>
      <translation>Netz ist umgestülpt</translation>
    </message>
    <message>
      <source>Let winding and normals agree</source>
      <translation>Umlauf und Normalen in Einklang bringen</translation>
    </message>
    <message>
      <source>the shell is flat, so that nothing tells which side is its outside</source>
      <translation>die Schale ist flach, sodass nichts sagt, welche Seite außen ist</translation>
    </message>
    <message>
      <source>Programs draw the side that the winding faces, and light the side that the normals face: the mesh shows its inside, or is lit from within.</source>
      <translation>Programme zeichnen die Seite, zu der der Umlauf weist, und beleuchten die Seite, zu der die Normalen weisen: das Netz zeigt sein Inneres oder ist von innen beleuchtet.</translation>
    </message>
    <message>
      <source>{shells} with up to {share:.0f} % of the surface wound against its normals</source>
      <translation>{shells} mit bis zu {share:.0f} % der Fläche gegen die Normalen umlaufen</translation>
    </message>
    <message>
      <source>another shell shares its vertices, and their normals would turn with it</source>
      <translation>eine andere Schale teilt ihre Punkte, und deren Normalen würden sich mitdrehen</translation>
    </message>
    <message>
      <source>the hierarchy has loops</source>
      <translation>die Hierarchie hat Schleifen</translation>
    </message>
    <message>
      <source>there is no skin</source>
      <translation>es gibt keine Haut</translation>
    </message>
    <message>
      <source>there is no skin, and no joint below another</source>
      <translation>es gibt keine Haut und kein Gelenk unter einem anderen</translation>
    </message>
    <message>
      <source>there is no skinned mesh</source>
      <translation>es gibt kein gebundenes Netz</translation>
    </message>
    <message>
      <source>there is no clip</source>
      <translation>es gibt keinen Clip</translation>
    </message>
    <message>
      <source>there is no clip, and no range of motion of its joints: none can be turned, or there are too many of them or of meshes</source>
      <translation>es gibt keinen Clip und keinen Bewegungsumfang seiner Gelenke: keines lässt sich drehen, oder es gibt zu viele davon oder von Netzen</translation>
    </message>
    <message>
      <source>no names of joints pair left with right</source>
      <translation>keine Namen von Gelenken paaren links mit rechts</translation>
    </message>
    <message>
      <source>no template is named</source>
      <translation>keine Vorlage ist genannt</translation>
    </message>
    <message>
      <source>no joints are hips, head, arms and legs of a human, by their names and places</source>
      <translation>keine Gelenke sind nach Namen und Orten Hüfte, Kopf, Arme und Beine eines Menschen</translation>
    </message>
    <message>
      <source>less than 1/{number}</source>
      <translation>weniger als 1/{number}</translation>
    </message>
    <message>
      <source>all within limits</source>
      <translation>alles innerhalb der Grenzen</translation>
    </message>
    <message>
      <source>{names} and {left} more</source>
      <translation>{names} und {left} weitere</translation>
    </message>
    <message>
      <source>the target has no vertex</source>
      <translation>das Ziel hat keinen Punkt</translation>
    </message>
    <message>
      <source>the target lies further from the source than the source is large</source>
      <translation>das Ziel liegt weiter von der Quelle, als die Quelle groß ist</translation>
    </message>
    <message>
      <source>bbw needs libigl: pip install "rigview[bbw]"</source>
      <translation>bbw braucht libigl: pip install "rigview[bbw]"</translation>
    </message>
    <message>
      <source>the weights are so already: nothing would change</source>
      <translation>die Gewichte sind schon so: nichts würde sich ändern</translation>
    </message>
    <message>
      <source>no mesh hangs on a skin with joints</source>
      <translation>kein Netz hängt an einer Haut mit Gelenken</translation>
    </message>
    <message>
      <source>a vertex of the mesh has no finite position</source>
      <translation>ein Punkt des Netzes hat keinen endlichen Ort</translation>
    </message>
    <message>
      <source>a joint has no finite bind matrix</source>
      <translation>ein Gelenk hat keine endliche Bindematrix</translation>
    </message>
    <message>
      <source>no two joints are named left and right</source>
      <translation>keine zwei Gelenke heißen links und rechts</translation>
    </message>
    <message>
      <source>left and right joints stand in the same places</source>
      <translation>linke und rechte Gelenke stehen an denselben Orten</translation>
    </message>
    <message>
      <source>the source has no triangle whose vertices have weights</source>
      <translation>die Quelle hat kein Dreieck, dessen Punkte Gewichte haben</translation>
    </message>
    <message>
      <source>the source has no vertex with weights</source>
      <translation>die Quelle hat keinen Punkt mit Gewichten</translation>
    </message>
    <message>
      <source>a vertex of the target has no finite position</source>
      <translation>ein Punkt des Ziels hat keinen endlichen Ort</translation>
    </message>
    <message>
      <source>no joint of the target has the name of a joint of the source</source>
      <translation>kein Gelenk des Ziels hat den Namen eines Gelenks der Quelle</translation>
    </message>
    <message>
      <source>{number} of {vertices} · lines every 0.25</source>
      <translation>{number} von {vertices} · Linien alle 0.25</translation>
    </message>
    <message>
      <source>{number} of {vertices} have more than 4</source>
      <translation>{number} von {vertices} mit mehr als 4</translation>
    </message>
    <message>
      <source>{number} of {vertices} below 1</source>
      <translation>{number} von {vertices} unter 1</translation>
    </message>
    <message>
      <source>mm outward · ends at {share} of size</source>
      <translation>mm nach außen · Ende bei {share} der Größe</translation>
    </message>
    <message>
      <source>one scale in all panes · line at the limit</source>
      <translation>ein Maßstab in allen Feldern · Linie an der Grenze</translation>
    </message>
    <message>
      <source>Weight of</source>
      <translation>Gewicht von</translation>
    </message>
    <message>
      <source>Weights around</source>
      <translation>Gewichte um</translation>
    </message>
    <message>
      <source>per vertex</source>
      <translation>je Punkt</translation>
    </message>
    <message>
      <source>Compensation</source>
      <translation>Ausgleich</translation>
    </message>
    <message>
      <source>mask</source>
      <translation>Maske</translation>
    </message>
    <message>
      <source>Distance to</source>
      <translation>Abstand zu</translation>
    </message>
    <message>
      <source>Changed</source>
      <translation>Geändert</translation>
    </message>
    <message>
      <source>Select a joint to see its weights.</source>
      <translation>Ein Gelenk auswählen, um seine Gewichte zu sehen.</translation>
    </message>
    <message>
      <source>Weights of</source>
      <translation>Gewichte von</translation>
    </message>
    <message>
      <source>vertex {number}</source>
      <translation>Punkt {number}</translation>
    </message>
    <message>
      <source>all joints</source>
      <translation>alle Gelenke</translation>
    </message>
    <message>
      <source>{value} limit</source>
      <translation>{value} Grenze</translation>
    </message>
    <message>
      <source>Compare with another file to see what changed.</source>
      <translation>Mit einer anderen Datei vergleichen, um zu sehen, was sich geändert hat.</translation>
    </message>
    <message>
      <source>{meshes} cannot be compared</source>
      <translation>{meshes} nicht vergleichbar</translation>
    </message>
    <message>
      <source>% of weight</source>
      <translation>% des Gewichts</translation>
    </message>
    <message>
      <source>{vertices} changed, at most {share:.3g} %</source>
      <translation>{vertices} geändert, höchstens {share:.3g} %</translation>
    </message>
    <message>
      <source>% of size</source>
      <translation>% der Größe</translation>
    </message>
    <message>
      <source>{vertices} moved, at most {length}</source>
      <translation>{vertices} bewegt, höchstens {length}</translation>
    </message>
    <message>
      <source>{value} error</source>
      <translation>{value} Fehler</translation>
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
      <source>Undone: {name}</source>
      <translation>Rückgängig gemacht: {name}</translation>
    </message>
    <message>
      <source>Redone: {name}</source>
      <translation>Wiederholt: {name}</translation>
    </message>
    <message>
      <source>There is no change to take back.</source>
      <translation>Es gibt keine Änderung, die sich zurücknehmen lässt.</translation>
    </message>
    <message>
      <source>No change was taken back.</source>
      <translation>Keine Änderung wurde zurückgenommen.</translation>
    </message>
    <message>
      <source>No joint is selected.</source>
      <translation>Kein Gelenk ist ausgewählt.</translation>
    </message>
    <message>
      <source>Undo {step}</source>
      <translation>Rückgängig: {step}</translation>
    </message>
    <message>
      <source>Redo {step}</source>
      <translation>Wiederholen: {step}</translation>
    </message>
    <message>
      <source>Rigs</source>
      <translation>Rigs</translation>
    </message>
    <message>
      <source>All files</source>
      <translation>Alle Dateien</translation>
    </message>
    <message>
      <source>Export review page</source>
      <translation>Seite zur Durchsicht exportieren</translation>
    </message>
    <message>
      <source>Save the session</source>
      <translation>Sitzung speichern</translation>
    </message>
    <message>
      <source>Export review folder</source>
      <translation>Ordner zur Durchsicht exportieren</translation>
    </message>
    <message>
      <source>{file} could not be written</source>
      <translation>{file} konnte nicht geschrieben werden</translation>
    </message>
    <message>
      <source>{reason}: choose a new name.</source>
      <translation>{reason}: einen neuen Namen wählen.</translation>
    </message>
    <message>
      <source>Export movie</source>
      <translation>Film exportieren</translation>
    </message>
    <message>
      <source>Pictures with a view</source>
      <translation>Bilder mit Ansicht</translation>
    </message>
    <message>
      <source>Sessions</source>
      <translation>Sitzungen</translation>
    </message>
    <message>
      <source>Open a rig</source>
      <translation>Ein Rig öffnen</translation>
    </message>
    <message>
      <source>Open a rig in a new tab</source>
      <translation>Ein Rig in neuem Reiter öffnen</translation>
    </message>
    <message>
      <source>No window was left without closing it.</source>
      <translation>Kein Fenster wurde verlassen, ohne es zu schließen.</translation>
    </message>
    <message>
      <source>No other rig is open.</source>
      <translation>Kein anderes Rig ist offen.</translation>
    </message>
    <message>
      <source>Compare with</source>
      <translation>Vergleichen mit</translation>
    </message>
    <message>
      <source>No mesh is skinned to {joint}.</source>
      <translation>Kein Netz ist an {joint} gebunden.</translation>
    </message>
    <message>
      <source>There is one pane only.</source>
      <translation>Es gibt nur ein Feld.</translation>
    </message>
    <message>
      <source>Nothing is selected: click a joint or a vertex of the mesh first.</source>
      <translation>Nichts ist ausgewählt: zuerst ein Gelenk oder einen Punkt des Netzes anklicken.</translation>
    </message>
    <message>
      <source>No mesh is hidden.</source>
      <translation>Kein Netz ist ausgeblendet.</translation>
    </message>
    <message>
      <source>No pose goes over a limit.</source>
      <translation>Keine Pose überschreitet eine Grenze.</translation>
    </message>
    <message>
      <source>{clip} has only one frame.</source>
      <translation>{clip} hat nur ein Bild.</translation>
    </message>
    <message>
      <source>The clip</source>
      <translation>Der Clip</translation>
    </message>
    <message>
      <source>There is no clip: Rig &gt; Add a range of motion makes one.</source>
      <translation>Es gibt keinen Clip: Rig &gt; Bewegungsumfang hinzufügen macht einen.</translation>
    </message>
    <message>
      <source>No clip is chosen: the timeline has them.</source>
      <translation>Kein Clip ist gewählt: die Zeitleiste hat sie.</translation>
    </message>
    <message>
      <source>All of the clip is played already.</source>
      <translation>Der ganze Clip wird schon abgespielt.</translation>
    </message>
    <message>
      <source>This is the clip's end: nothing is after it.</source>
      <translation>Hier endet der Clip: danach kommt nichts.</translation>
    </message>
    <message>
      <source>This is the clip's start: nothing is before it.</source>
      <translation>Hier beginnt der Clip: davor ist nichts.</translation>
    </message>
    <message>
      <source>Notes</source>
      <translation>Notizen</translation>
    </message>
    <message>
      <source>The notes are on the clipboard, as text for an e-mail.</source>
      <translation>Die Notizen sind in der Zwischenablage, als Text für eine E-Mail.</translation>
    </message>
    <message>
      <source>Import notes</source>
      <translation>Notizen importieren</translation>
    </message>
    <message>
      <source>There are no notes on this file.</source>
      <translation>Zu dieser Datei gibt es keine Notizen.</translation>
    </message>
    <message>
      <source>No note is chosen.</source>
      <translation>Keine Notiz ist gewählt.</translation>
    </message>
    <message>
      <source>All notes are saved.</source>
      <translation>Alle Notizen sind gesichert.</translation>
    </message>
    <message>
      <source>Load clips from</source>
      <translation>Clips laden aus</translation>
    </message>
    <message>
      <source>Retarget the motion of</source>
      <translation>Bewegung übertragen aus</translation>
    </message>
    <message>
      <source>Several joints are selected, and the rings turn one: select it alone.</source>
      <translation>Mehrere Gelenke sind ausgewählt, und die Ringe drehen eines: nur dieses auswählen.</translation>
    </message>
    <message>
      <source>Select a joint: rings to turn it stand about it then.</source>
      <translation>Ein Gelenk auswählen: dann stehen die Ringe zum Drehen darum.</translation>
    </message>
    <message>
      <source>No joint and no morph target is tried.</source>
      <translation>Weder ein Gelenk noch ein Morphziel wird probiert.</translation>
    </message>
    <message>
      <source>Nothing is skinned.</source>
      <translation>Nichts ist gebunden.</translation>
    </message>
    <message>
      <source>No rig is open.</source>
      <translation>Kein Rig ist offen.</translation>
    </message>
    <message>
      <source>The weights of every vertex sum to one: both ways draw the same.</source>
      <translation>Die Gewichte jedes Punkts ergeben eins: beide Arten zeichnen dasselbe.</translation>
    </message>
    <message>
      <source>No vertex follows {names}.</source>
      <translation>Kein Punkt folgt {names}.</translation>
    </message>
    <message>
      <source>{vertices} without a pair, marked, kept their weights.</source>
      <translation>{vertices} ohne Gegenstück, markiert, mit den Gewichten von vorher.</translation>
    </message>
    <message>
      <source>Mirror {way} on {vertices}</source>
      <translation>Spiegeln {way} auf {vertices}</translation>
    </message>
    <message>
      <source>No joint is selected: click one in the tree or in a pane.</source>
      <translation>Kein Gelenk ist ausgewählt: eines im Baum oder in einem Feld anklicken.</translation>
    </message>
    <message>
      <source>No vertex is chosen: click one, drag a box with Shift, or choose all of a joint.</source>
      <translation>Kein Punkt ist gewählt: einen anklicken, mit Umschalt einen Kasten ziehen oder alle eines Gelenks wählen.</translation>
    </message>
    <message>
      <source>Drag a lasso with Shift to choose vertices, with Ctrl to take them out.</source>
      <translation>Mit Umschalt ein Lasso ziehen, um Punkte zu wählen, mit Strg, um sie herauszunehmen.</translation>
    </message>
    <message>
      <source>Drag a box with Shift to choose vertices, with Ctrl to take them out.</source>
      <translation>Mit Umschalt einen Kasten ziehen, um Punkte zu wählen, mit Strg, um sie herauszunehmen.</translation>
    </message>
    <message>
      <source>Drag with Shift to select joints, with Ctrl to take them out.</source>
      <translation>Mit Umschalt ziehen, um Gelenke auszuwählen, mit Strg, um sie herauszunehmen.</translation>
    </message>
    <message>
      <source>Drag with Shift to select vertices, with Ctrl to take them out.</source>
      <translation>Mit Umschalt ziehen, um Punkte zu wählen, mit Strg, um sie herauszunehmen.</translation>
    </message>
    <message>
      <source>No joint is locked.</source>
      <translation>Kein Gelenk ist gesperrt.</translation>
    </message>
    <message>
      <source>Smooth {vertices}</source>
      <translation>{vertices} glätten</translation>
    </message>
    <message>
      <source>Fill {vertices} by geodesic voxels</source>
      <translation>{vertices} über geodätische Voxel füllen</translation>
    </message>
    <message>
      <source>Hammer {vertices}</source>
      <translation>{vertices} hämmern</translation>
    </message>
    <message>
      <source>Prune weights below 0.01 of {vertices}</source>
      <translation>Gewichte unter 0,01 entfernen: {vertices}</translation>
    </message>
    <message>
      <source>Keep the 4 largest weights of {vertices}</source>
      <translation>Die 4 größten Gewichte behalten: {vertices}</translation>
    </message>
    <message>
      <source>left to right</source>
      <translation>von links nach rechts</translation>
    </message>
    <message>
      <source>right to left</source>
      <translation>von rechts nach links</translation>
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
      <source>nothing is drawn yet</source>
      <translation>noch ist nichts gezeichnet</translation>
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
      <source>Opening the PNG restores file, time and camera.</source>
      <translation>Das PNG zu öffnen stellt Datei, Zeit und Kamera wieder her.</translation>
    </message>
    <message>
      <source>A {form} cannot carry the view.</source>
      <translation>{form} kann die Ansicht nicht enthalten.</translation>
    </message>
    <message>
      <source>Save {form}</source>
      <translation>{form} speichern</translation>
    </message>
    <message>
      <source>{samples}× antialiasing</source>
      <translation>Kantenglättung {samples}×</translation>
    </message>
    <message>
      <source>This replaces {file}.</source>
      <translation>Das ersetzt {file}.</translation>
    </message>
    <message>
      <source>{folder} is a folder: add a name.</source>
      <translation>{folder} ist ein Ordner: einen Namen anfügen.</translation>
    </message>
    <message>
      <source>There is no folder {folder}.</source>
      <translation>Es gibt keinen Ordner {folder}.</translation>
    </message>
    <message>
      <source>drawing a picture</source>
      <translation>zeichnet ein Bild</translation>
    </message>
    <message>
      <source>Contact sheet</source>
      <translation>Kontaktbogen</translation>
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
      <source>clip {rounds} × at {speed:.0%} of its speed</source>
      <translation>Clip {rounds} × mit {speed:.0%} seines Tempos</translation>
    </message>
    <message>
      <source>Times across</source>
      <translation>Zeiten je Zeile</translation>
    </message>
    <message>
      <source>Pictures a second</source>
      <translation>Bilder je Sekunde</translation>
    </message>
    <message>
      <source>evenly over the clip</source>
      <translation>gleichmäßig über den Clip</translation>
    </message>
    <message>
      <source>One turn</source>
      <translation>Eine Drehung</translation>
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
      <source>Notes are not saved.</source>
      <translation>Notizen sind nicht gesichert.</translation>
    </message>
    <message>
      <source>Nothing is unsaved.</source>
      <translation>Alles ist gesichert.</translation>
    </message>
    <message>
      <source>Not saved</source>
      <translation>Nicht gesichert</translation>
    </message>
    <message>
      <source>the file</source>
      <translation>die Datei</translation>
    </message>
    <message>
      <source>Opened {file}</source>
      <translation>{file} geöffnet</translation>
    </message>
    <message>
      <source>{vertices} with other weights, not saved</source>
      <translation>{vertices} mit anderen Gewichten, nicht gesichert</translation>
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
      <source>Coefficient of {power}</source>
      <translation>Koeffizient von {power}</translation>
    </message>
    <message>
      <source>How the compensation is spread over the blend x: c₁x + c₂x² + c₃x³
P1: formula 4 of the thesis, zero at the middle of the blend
P0: its formula 3, which leaves least bulge at the thesis's own blend
C1: zero and level at the middle</source>
      <translation>Wie sich der Ausgleich über die Überblendung x verteilt: c₁x + c₂x² + c₃x³
P1: Formel 4 der Arbeit, null in der Mitte der Überblendung
P0: ihre Formel 3, die bei der Überblendung der Arbeit am wenigsten wölbt
C1: null und eben in der Mitte</translation>
    </message>
    <message>
      <source>How it grows with the angle α of the bend
Code: min(1, 2·√(1 − cos α/2)), as the thesis's plugin computes it
Slides: min(1, 1.41·sin α/2), as its slides state it</source>
      <translation>Wie er mit dem Winkel α der Beugung wächst
Code: min(1, 2·√(1 − cos α/2)), wie das Plug-in der Arbeit rechnet
Slides: min(1, 1.41·sin α/2), wie ihre Folien sagen</translation>
    </message>
    <message>
      <source>The joints' local axis that bones follow; auto: towards the primary child</source>
      <translation>Die lokale Achse der Gelenke, der die Knochen folgen; auto: zum wichtigsten Kind</translation>
    </message>
    <message>
      <source>Where joints that scale stretch the skin
Vertex: every joint's motion at the vertex is blended
Origin: the stretches are blended first, as Maya and OpenUSD do it</source>
      <translation>Wo Gelenke, die skalieren, die Haut dehnen
Vertex: die Bewegung jedes Gelenks am Punkt wird überblendet
Origin: zuerst werden die Dehnungen überblendet, wie Maya und OpenUSD es tun</translation>
    </message>
    <message>
      <source>Bone axis</source>
      <translation>Knochenachse</translation>
    </message>
    <message>
      <source>{number} more</source>
      <translation>{number} weitere</translation>
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
      <source>This replaces {file}, the file you opened.</source>
      <translation>Das ersetzt {file}, die geöffnete Datei.</translation>
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
      <source>{file} is checked against the skeleton that is chosen here, by the rules TPL-*.</source>
      <translation>{file} wird nach den Regeln TPL-* an dem Skelett geprüft, das hier gewählt wird.</translation>
    </message>
    <message>
      <source>{joints}, {required} of them required.</source>
      <translation>{joints}, davon {required} verlangt.</translation>
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
      <source>As in the file: {words}</source>
      <translation>Wie in der Datei: {words}</translation>
    </message>
    <message>
      <source>{axis} up</source>
      <translation>{axis} oben</translation>
    </message>
    <message>
      <source>{rate:g} fps</source>
      <translation>{rate:g} B/s</translation>
    </message>
    <message>
      <source>units of {metres:.4g} m</source>
      <translation>Einheiten von {metres:.4g} m</translation>
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
      <source>{file} is read again by what is chosen here.</source>
      <translation>{file} wird nach dem, was hier gewählt ist, neu gelesen.</translation>
    </message>
    <message>
      <source>not stated</source>
      <translation>nicht angegeben</translation>
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
      <source>One unit is</source>
      <translation>Eine Einheit ist</translation>
    </message>
    <message>
      <source>Show {name}</source>
      <translation>{name} zeigen</translation>
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
      <source>Timeline</source>
      <translation>Zeitleiste</translation>
    </message>
    <message>
      <source>measuring joints</source>
      <translation>misst Gelenke</translation>
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
      <source>Take it</source>
      <translation>Übernehmen</translation>
    </message>
    <message>
      <source>{key} is “{action}”, which would have it no more.</source>
      <translation>{key} ist „{action}“, das ihn dann nicht mehr hätte.</translation>
    </message>
    <message>
      <source>{keys} shared by several actions, the first is {key}.</source>
      <translation>{keys} von mehreren Befehlen geteilt, zuerst {key}.</translation>
    </message>
    <message>
      <source>Choose an action, then press its new key.</source>
      <translation>Einen Befehl wählen, dann seine neue Taste drücken.</translation>
    </message>
    <message>
      <source>two fingers</source>
      <translation>zwei Finger</translation>
    </message>
    <message>
      <source>drag</source>
      <translation>ziehen</translation>
    </message>
    <message>
      <source>middle drag</source>
      <translation>mit der mittleren Taste ziehen</translation>
    </message>
    <message>
      <source>right drag</source>
      <translation>mit der rechten Taste ziehen</translation>
    </message>
    <message>
      <source>Alt+</source>
      <translation>Alt+</translation>
    </message>
    <message>
      <source>Shift+</source>
      <translation>Umschalt+</translation>
    </message>
    <message>
      <source>Ctrl+</source>
      <translation>Strg+</translation>
    </message>
    <message>
      <source>Orbit</source>
      <translation>Umkreisen</translation>
    </message>
    <message>
      <source>Pan</source>
      <translation>Schwenken</translation>
    </message>
    <message>
      <source>Zoom</source>
      <translation>Zoomen</translation>
    </message>
    <message>
      <source>Zoom to the cursor</source>
      <translation>Zum Zeiger zoomen</translation>
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
      <source>{number} of {all}</source>
      <translation>{number} von {all}</translation>
    </message>
    <message>
      <source>Nothing is called “{text}”.</source>
      <translation>Nichts heißt „{text}“.</translation>
    </message>
    <message>
      <source>@ joint   # frame   ! finding   &gt; action   ↵ do   Ctrl+↵ set a key</source>
      <translation>@ Gelenk   # Bild   ! Befund   &gt; Befehl   ↵ ausführen   Strg+↵ Taste setzen</translation>
    </message>
    <message>
      <source>Worst {number}: {joint} {value}</source>
      <translation>Schlimmste {number}: {joint} {value}</translation>
    </message>
    <message>
      <source>{method} in this pane</source>
      <translation>{method} in diesem Feld</translation>
    </message>
    <message>
      <source>clip {number}</source>
      <translation>Clip {number}</translation>
    </message>
    <message>
      <source>Frame {frame:g}</source>
      <translation>Bild {frame:g}</translation>
    </message>
    <message>
      <source>Poses, joints, clips, findings, files</source>
      <translation>Posen, Gelenke, Clips, Befunde, Dateien</translation>
    </message>
    <message>
      <source>opened lately</source>
      <translation>zuletzt geöffnet</translation>
    </message>
    <message>
      <source>Nothing here is skinned.</source>
      <translation>Hier ist nichts gebunden.</translation>
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
      <source>Nothing to find fault with</source>
      <translation>Nichts zu beanstanden</translation>
    </message>
    <message>
      <source>{profile} profile</source>
      <translation>Profil {profile}</translation>
    </message>
    <message>
      <source>Checking…</source>
      <translation>Prüft…</translation>
    </message>
    <message>
      <source>, but {findings} {verb} hidden</source>
      <translation>, aber {findings} {verb} ausgeblendet</translation>
    </message>
    <message>
      <source>; what is ignored is being counted</source>
      <translation>; was ausgelassen ist, wird gezählt</translation>
    </message>
    <message>
      <source>note: {note}</source>
      <translation>Notiz: {note}</translation>
    </message>
    <message>
      <source>{number} not evaluated</source>
      <translation>{number} nicht ausgewertet</translation>
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
      <source>not saved</source>
      <translation>nicht gesichert</translation>
    </message>
    <message>
      <source>bend {bend:.0f}°</source>
      <translation>Beugung {bend:.0f}°</translation>
    </message>
    <message>
      <source>bend {bend:.0f}°, weight {weight:.2f}</source>
      <translation>Beugung {bend:.0f}°, Gewicht {weight:.2f}</translation>
    </message>
    <message>
      <source>target {number}</source>
      <translation>Ziel {number}</translation>
    </message>
    <message>
      <source>none</source>
      <translation>keine</translation>
    </message>
    <message>
      <source>Corrective shape</source>
      <translation>Korrekturform</translation>
    </message>
    <message>
      <source>{label} of every pane's method</source>
      <translation>{label} nach dem Verfahren jedes Felds</translation>
    </message>
    <message>
      <source>{label} of {joint}</source>
      <translation>{label} von {joint}</translation>
    </message>
    <message>
      <source>{label} of this mesh cannot be measured.</source>
      <translation>{label}: an diesem Netz nicht messbar.</translation>
    </message>
    <message>
      <source>The file has no clips.</source>
      <translation>Die Datei hat keine Clips.</translation>
    </message>
    <message>
      <source> Rig &gt; Add a range of motion makes one.</source>
      <translation> Rig &gt; Bewegungsumfang hinzufügen macht einen.</translation>
    </message>
    <message>
      <source>No bone begins at this joint.</source>
      <translation>An diesem Gelenk beginnt kein Knochen.</translation>
    </message>
    <message>
      <source>The rest pose has no curves.</source>
      <translation>Die Ruhepose hat keine Kurven.</translation>
    </message>
    <message>
      <source>Select a joint to see its curves.</source>
      <translation>Ein Gelenk auswählen, um seine Kurven zu sehen.</translation>
    </message>
    <message>
      <source>The clip has a single frame.</source>
      <translation>Der Clip hat nur ein Bild.</translation>
    </message>
    <message>
      <source>Measuring the clip…</source>
      <translation>Misst den Clip…</translation>
    </message>
    <message>
      <source>Use {method} in this pane</source>
      <translation>{method} in diesem Feld verwenden</translation>
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
      <source>Largest move</source>
      <translation>Größte Bewegung</translation>
    </message>
    <message>
      <source>No automatic fix: {reason}.</source>
      <translation>Keine automatische Reparatur: {reason}.</translation>
    </message>
    <message>
      <source>Largest move in {poses}</source>
      <translation>Größte Bewegung in: {poses}</translation>
    </message>
    <message>
      <source>checking…</source>
      <translation>prüft…</translation>
    </message>
    <message>
      <source>Not fixed: {reason}.</source>
      <translation>Nicht repariert: {reason}.</translation>
    </message>
    <message>
      <source>Select {name}</source>
      <translation>{name} auswählen</translation>
    </message>
    <message>
      <source>and {number} more</source>
      <translation>und {number} weitere</translation>
    </message>
    <message>
      <source>{rule}: {objects} marked</source>
      <translation>{rule}: {objects} markiert</translation>
    </message>
    <message>
      <source>moves ≤ {length}</source>
      <translation>bewegt ≤ {length}</translation>
    </message>
    <message>
      <source>{fix}: not here, {reason}</source>
      <translation>{fix}: hier nicht, {reason}</translation>
    </message>
    <message>
      <source>See it first: {fix}</source>
      <translation>Erst ansehen: {fix}</translation>
    </message>
    <message>
      <source>none: {reason}</source>
      <translation>keine: {reason}</translation>
    </message>
    <message>
      <source>measuring…</source>
      <translation>misst…</translation>
    </message>
    <message>
      <source>not exact here</source>
      <translation>hier nicht exakt</translation>
    </message>
    <message>
      <source>moves 0.000 mm</source>
      <translation>bewegt 0.000 mm</translation>
    </message>
    <message>
      <source>Measured</source>
      <translation>Gemessen</translation>
    </message>
    <message>
      <source>At</source>
      <translation>Bei</translation>
    </message>
    <message>
      <source>Vertices</source>
      <translation>Punkte</translation>
    </message>
    <message>
      <source>Fix</source>
      <translation>Beheben</translation>
    </message>
    <message>
      <source>rest pose</source>
      <translation>Ruhepose</translation>
    </message>
    <message>
      <source>not in the file</source>
      <translation>nicht in der Datei</translation>
    </message>
    <message>
      <source>{words}; frame {frame:.4g}, where it is worst</source>
      <translation>{words}; Bild {frame:.4g}, wo es am schlimmsten ist</translation>
    </message>
    <message>
      <source>{words}; frame {frame:.4g} of a range of motion, which is not in the file, where it is worst</source>
      <translation>{words}; Bild {frame:.4g} eines Bewegungsumfangs, der nicht in der Datei ist, wo es am schlimmsten ist</translation>
    </message>
    <message>
      <source>weight below 0</source>
      <translation>Gewicht unter 0</translation>
    </message>
    <message>
      <source>weight above 1</source>
      <translation>Gewicht über 1</translation>
    </message>
    <message>
      <source>weight {least:.2f} to {most:.2f}</source>
      <translation>Gewicht {least:.2f} bis {most:.2f}</translation>
    </message>
    <message>
      <source>weight of {joint}</source>
      <translation>Gewicht von {joint}</translation>
    </message>
    <message>
      <source>{number} of {vertices}</source>
      <translation>{number} von {vertices}</translation>
    </message>
    <message>
      <source>{vertices}, {mean:.1f} on average</source>
      <translation>{vertices}, im Mittel {mean:.1f}</translation>
    </message>
    <message>
      <source>{joint} moves no vertex.</source>
      <translation>{joint} bewegt keinen Punkt.</translation>
    </message>
    <message>
      <source>influences per vertex</source>
      <translation>Einflüsse je Punkt</translation>
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
      <source>{off:.1f}° off</source>
      <translation>{off:.1f}° daneben</translation>
    </message>
    <message>
      <source>the rig's bones use {axis}</source>
      <translation>die Knochen des Rigs nutzen {axis}</translation>
    </message>
    <message>
      <source>limit {limit:g}°</source>
      <translation>Grenze {limit:g}°</translation>
    </message>
    <message>
      <source>mesh {number}</source>
      <translation>Netz {number}</translation>
    </message>
    <message>
      <source>{vertex} of {mesh}</source>
      <translation>{vertex} von {mesh}</translation>
    </message>
    <message>
      <source>reaches the skin</source>
      <translation>erreicht die Haut</translation>
    </message>
    <message>
      <source>cancelled in the bind</source>
      <translation>hebt sich in der Bindung auf</translation>
    </message>
    <message>
      <source>joint {number}?</source>
      <translation>Gelenk {number}?</translation>
    </message>
    <message>
      <source>Local</source>
      <translation>Lokal</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>Modell</translation>
    </message>
    <message>
      <source>World</source>
      <translation>Welt</translation>
    </message>
    <message>
      <source>Move</source>
      <translation>Verschieben</translation>
    </message>
    <message>
      <source>Rotate</source>
      <translation>Drehen</translation>
    </message>
    <message>
      <source>Scale, local to skin</source>
      <translation>Skalierung, lokal bis Haut</translation>
    </message>
    <message>
      <source>Primary axis</source>
      <translation>Hauptachse</translation>
    </message>
    <message>
      <source>joint {number}</source>
      <translation>Gelenk {number}</translation>
    </message>
    <message>
      <source>node {number}</source>
      <translation>Knoten {number}</translation>
    </message>
    <message>
      <source>Not measured in this clip: {measure} of {joint}.</source>
      <translation>In diesem Clip nicht messbar: {measure} von {joint}.</translation>
    </message>
    <message>
      <source>the worst joint</source>
      <translation>das schlimmste Gelenk</translation>
    </message>
    <message>
      <source>{measure}: limit</source>
      <translation>{measure}: Grenze</translation>
    </message>
    <message>
      <source>Not measured in this clip: {measure}.</source>
      <translation>In diesem Clip nicht messbar: {measure}.</translation>
    </message>
    <message>
      <source>{measure} of {joint} under every pane's method</source>
      <translation>{measure} von {joint} nach dem Verfahren jedes Felds</translation>
    </message>
    <message>
      <source>Measuring the joints in all clips…</source>
      <translation>Misst die Gelenke in allen Clips…</translation>
    </message>
    <message>
      <source>locked</source>
      <translation>gesperrt</translation>
    </message>
    <message>
      <source>{off:.0f}° off its axis</source>
      <translation>{off:.0f}° neben seiner Achse</translation>
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
      <source>Morph target {name}</source>
      <translation>Morphziel {name}</translation>
    </message>
    <message>
      <source>{weight:.0f} percent</source>
      <translation>{weight:.0f} Prozent</translation>
    </message>
    <message>
      <source>Morph targets</source>
      <translation>Morphziele</translation>
    </message>
    <message>
      <source>Weight of {name} in per cent</source>
      <translation>Gewicht von {name} in Prozent</translation>
    </message>
    <message>
      <source>tried</source>
      <translation>probiert</translation>
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
      <source>None of {targets} matches.</source>
      <translation>Keines passt: {targets}.</translation>
    </message>
    <message>
      <source>{number} of {all} tried, not saved</source>
      <translation>{number} von {all} probiert, nicht gesichert</translation>
    </message>
    <message>
      <source>Hide what asks for no action</source>
      <translation>Ausblenden, was nichts zu tun gibt</translation>
    </message>
    <message>
      <source>List what asks for no action</source>
      <translation>Aufführen, was nichts zu tun gibt</translation>
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
      <source>Vertices by {across}, {said}</source>
      <translation>Punkte nach {across}, {said}</translation>
    </message>
    <message>
      <source>Plots appear with a rig.</source>
      <translation>Kurven erscheinen mit einem Rig.</translation>
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
      <source>same name</source>
      <translation>gleicher Name</translation>
    </message>
    <message>
      <source>by hand</source>
      <translation>von Hand</translation>
    </message>
    <message>
      <source>More than one joint of the motion is called {name}.</source>
      <translation>Mehr als ein Gelenk der Bewegung heißt {name}.</translation>
    </message>
    <message>
      <source>No joint of the motion is called {name}.</source>
      <translation>Kein Gelenk der Bewegung heißt {name}.</translation>
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
      <source>{number} of {joints}</source>
      <translation>{number} von {joints}</translation>
    </message>
    <message>
      <source>Load map</source>
      <translation>Zuordnung laden</translation>
    </message>
    <message>
      <source>Maps</source>
      <translation>Zuordnungen</translation>
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
      <source>further remark</source>
      <translation>weitere Bemerkung</translation>
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
      <source>Write on {where}, {method}…</source>
      <translation>Zu {where}, {method} schreiben…</translation>
    </message>
    <message>
      <source>Drawn: {tools}</source>
      <translation>Gezeichnet: {tools}</translation>
    </message>
    <message>
      <source>Note {number}, {author}, {place}: {words}</source>
      <translation>Notiz {number}, {author}, {place}: {words}</translation>
    </message>
    <message>
      <source>Words of the note</source>
      <translation>Text der Notiz</translation>
    </message>
    <message>
      <source>frame {frame:g}</source>
      <translation>Bild {frame:g}</translation>
    </message>
    <message>
      <source>Note</source>
      <translation>Notiz</translation>
    </message>
    <message>
      <source>{tool} over the picture</source>
      <translation>{tool} über dem Bild</translation>
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
      <source>Free hand</source>
      <translation>Freihand</translation>
    </message>
    <message>
      <source>Rest pose</source>
      <translation>Ruhepose</translation>
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
      <source>Recent</source>
      <translation>Zuletzt</translation>
    </message>
    <message>
      <source>Recent files</source>
      <translation>Zuletzt geöffnete Dateien</translation>
    </message>
    <message>
      <source>Open the sample: {words}</source>
      <translation>Das Beispiel öffnen: {words}</translation>
    </message>
    <message>
      <source>No file was opened yet</source>
      <translation>Noch wurde keine Datei geöffnet</translation>
    </message>
    <message>
      <source>There is none</source>
      <translation>Es gibt keine</translation>
    </message>
    <message>
      <source>Studio settings: {name}</source>
      <translation>Vorgaben des Studios: {name}</translation>
    </message>
    <message>
      <source>The rules that the settings ignore are run after the others</source>
      <translation>Die Regeln, die die Vorgaben auslassen, laufen nach den anderen</translation>
    </message>
    <message>
      <source>baseline {file}</source>
      <translation>Ausgangsstand {file}</translation>
    </message>
    <message>
      <source>Studio settings cannot be used</source>
      <translation>Vorgaben des Studios nicht verwendbar</translation>
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
      <source>Studio settings are switched off</source>
      <translation>Vorgaben des Studios sind ausgeschaltet</translation>
    </message>
    <message>
      <source>Rig &gt; Studio settings</source>
      <translation>Rig &gt; Vorgaben des Studios</translation>
    </message>
    <message>
      <source>Template: {name}</source>
      <translation>Vorlage: {name}</translation>
    </message>
    <message>
      <source>Switch on</source>
      <translation>Einschalten</translation>
    </message>
    <message>
      <source>Rig &gt; Conform to template…</source>
      <translation>Rig &gt; An Vorlage anpassen…</translation>
    </message>
    <message>
      <source>Hide again</source>
      <translation>Wieder ausblenden</translation>
    </message>
    <message>
      <source>Show {number} hidden</source>
      <translation>{number} ausgeblendete zeigen</translation>
    </message>
    <message>
      <source>counting what is ignored…</source>
      <translation>zählt, was ausgelassen wird…</translation>
    </message>
    <message>
      <source>in the baseline</source>
      <translation>im Ausgangsstand</translation>
    </message>
    <message>
      <source>{profile} profile, set aside for {chosen}</source>
      <translation>Profil {profile}, zurückgestellt für {chosen}</translation>
    </message>
    <message>
      <source>accepted value</source>
      <translation>angenommener Wert</translation>
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
      <source>of {frame:.0f}</source>
      <translation>von {frame:.0f}</translation>
    </message>
    <message>
      <source>one frame</source>
      <translation>ein Bild</translation>
    </message>
    <message>
      <source>No clip</source>
      <translation>Kein Clip</translation>
    </message>
    <message>
      <source>Reading the clip…</source>
      <translation>Liest den Clip…</translation>
    </message>
    <message>
      <source>The worst pose over all clips  N</source>
      <translation>Die schlimmste Pose über alle Clips  N</translation>
    </message>
    <message>
      <source>{joint} {value} at frame {frame:.0f} of {clip}</source>
      <translation>{joint} {value} bei Bild {frame:.0f} von {clip}</translation>
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
      <source>about its own bone, from rest, to {joint}</source>
      <translation>um den eigenen Knochen, ab Ruhe, zu {joint}</translation>
    </message>
    <message>
      <source>bend {bend:.0f}°, twist {twist:.0f}°, not saved</source>
      <translation>Beugung {bend:.0f}°, Verdrehung {twist:.0f}°, nicht gesichert</translation>
    </message>
    <message>
      <source>Bend</source>
      <translation>Beugung</translation>
    </message>
    <message>
      <source>{name}, on trial</source>
      <translation>{name}, auf Probe</translation>
    </message>
    <message>
      <source>Turn about {axis}, on trial</source>
      <translation>Drehung um {axis}, auf Probe</translation>
    </message>
    <message>
      <source>Trial pose</source>
      <translation>Probepose</translation>
    </message>
    <message>
      <source>Joints of the chosen vertices</source>
      <translation>Gelenke der gewählten Punkte</translation>
    </message>
    <message>
      <source>Set {joint} to {value:.4g} on {vertices}</source>
      <translation>{joint} auf {value:.4g} gesetzt: {vertices}</translation>
    </message>
    <message>
      <source>Multiply {joint} by {value:.4g} on {vertices}</source>
      <translation>{joint} mit {value:.4g} multipliziert: {vertices}</translation>
    </message>
    <message>
      <source>Add {value:.4g} {joint} on {vertices}</source>
      <translation>{value:.4g} {joint} addiert: {vertices}</translation>
    </message>
    <message>
      <source>Take {value:.4g} {joint} on {vertices}</source>
      <translation>{value:.4g} {joint} abgezogen: {vertices}</translation>
    </message>
    <message>
      <source>a joint of the table is no joint of this mesh</source>
      <translation>ein Gelenk der Tabelle ist keines dieses Netzes</translation>
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
      <source>Only vertices whose weight of the selected joint is so:
above 0.02, below 0.5, or 0.2 to 0.4</source>
      <translation>Nur Punkte, deren Gewicht am gewählten Gelenk so ist:
above 0.02, below 0.5 oder 0.2 to 0.4</translation>
    </message>
    <message>
      <source>Click to sort; the lock keeps the joint's weights, Alt+click locks all others</source>
      <translation>Klick sortiert; das Schloss hält die Gewichte des Gelenks, Alt+Klick sperrt alle anderen</translation>
    </message>
    <message>
      <source>Click to sort</source>
      <translation>Klick sortiert</translation>
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
      <source>&lt;a href='click'&gt;Click a vertex&lt;/a&gt;, &lt;a href='drag'&gt;drag a box&lt;/a&gt;</source>
      <translation>&lt;a href='click'&gt;Einen Punkt anklicken&lt;/a&gt;, &lt;a href='drag'&gt;einen Kasten ziehen&lt;/a&gt;</translation>
    </message>
    <message>
      <source>{words}, or &lt;a href='tree'&gt;select a joint&lt;/a&gt; and choose all of it</source>
      <translation>{words}, oder &lt;a href='tree'&gt;ein Gelenk auswählen&lt;/a&gt; und alles davon wählen</translation>
    </message>
    <message>
      <source>Weights of the chosen vertices</source>
      <translation>Gewichte der gewählten Punkte</translation>
    </message>
    <message>
      <source>{words}, or &lt;a href='joint'&gt;choose all of {name}&lt;/a&gt;</source>
      <translation>{words}, oder &lt;a href='joint'&gt;alles von {name} wählen&lt;/a&gt;</translation>
    </message>
    <message>
      <source>{number} of {all} selected</source>
      <translation>{number} von {all} gewählt</translation>
    </message>
    <message>
      <source>mean of {joint} {mean:.4f}</source>
      <translation>Mittel von {joint} {mean:.4f}</translation>
    </message>
    <message>
      <source>{text} is no weight: 0.42, *0.5, +0.1 or -0.1 are</source>
      <translation>{text} ist kein Gewicht: 0.42, *0.5, +0.1 oder -0.1 sind welche</translation>
    </message>
    <message>
      <source>Copied {rows} × {columns} weights as text.</source>
      <translation>{rows} × {columns} Gewichte als Text kopiert.</translation>
    </message>
    <message>
      <source>Nothing</source>
      <translation>Nichts</translation>
    </message>
    <message>
      <source>Paste weights of {joints} on {vertices}</source>
      <translation>Gewichte eingefügt: {joints}, {vertices}</translation>
    </message>
    <message>
      <source>No joint is called {names}.</source>
      <translation>Kein Gelenk heißt {names}.</translation>
    </message>
    <message>
      <source>The table has {width} columns, more than there are joints from here on.</source>
      <translation>Die Tabelle hat {width} Spalten, mehr als es von hier an Gelenke gibt.</translation>
    </message>
    <message>
      <source>Click a vertex of the mesh; Shift+click adds one.</source>
      <translation>Einen Punkt des Netzes anklicken; Umschalt+Klick fügt einen hinzu.</translation>
    </message>
    <message>
      <source>Drag with Shift over the mesh to choose what is in the box, with Ctrl to take it away.</source>
      <translation>Mit Umschalt über das Netz ziehen, um zu wählen, was im Kasten ist, mit Strg, um es wegzunehmen.</translation>
    </message>
    <message>
      <source>Select a joint in the tree: then Weights &gt; Choose all of the joint chooses its vertices.</source>
      <translation>Ein Gelenk im Baum auswählen: dann wählt Gewichte &gt; Alle des Gelenks wählen seine Punkte.</translation>
    </message>
    <message>
      <source>typing goes to all {number}: 0.42, *0.5, +0.1 or -0.1; the free joints give way</source>
      <translation>Eingabe gilt für alle {number}: 0.42, *0.5, +0.1 oder -0.1; die freien Gelenke weichen</translation>
    </message>
    <message>
      <source>type a weight: 0.42, *0.5, +0.1 or -0.1; the free joints give way</source>
      <translation>ein Gewicht eingeben: 0.42, *0.5, +0.1 oder -0.1; die freien Gelenke weichen</translation>
    </message>
    <message>
      <source>Non-zero joints</source>
      <translation>Gelenke mit Gewicht</translation>
    </message>
    <message>
      <source>Only joints that some chosen vertex follows</source>
      <translation>Nur Gelenke, denen ein gewählter Punkt folgt</translation>
    </message>
    <message>
      <source>Selected joint</source>
      <translation>Gewähltes Gelenk</translation>
    </message>
    <message>
      <source>Only the joint that is selected</source>
      <translation>Nur das Gelenk, das ausgewählt ist</translation>
    </message>
    <message>
      <source>No chosen vertex has such a weight of the selected joint.</source>
      <translation>Kein gewählter Punkt hat ein solches Gewicht am gewählten Gelenk.</translation>
    </message>
    <message>
      <source>Reading the weights…</source>
      <translation>Liest die Gewichte…</translation>
    </message>
    <message>
      <source>Make the weights sum to one</source>
      <translation>Die Gewichte auf die Summe eins bringen</translation>
    </message>
    <message>
      <source>Drop weights below 0.01</source>
      <translation>Gewichte unter 0,01 entfernen</translation>
    </message>
    <message>
      <source>Keep the four largest weights</source>
      <translation>Die vier größten Gewichte behalten</translation>
    </message>
    <message>
      <source>The clipboard holds no table of weights.</source>
      <translation>Die Zwischenablage enthält keine Tabelle von Gewichten.</translation>
    </message>
    <message>
      <source>limit {limit}</source>
      <translation>Grenze {limit}</translation>
    </message>
    <message>
      <source>frame {frame:.0f} of {clip}</source>
      <translation>Bild {frame:.0f} von {clip}</translation>
    </message>
    <message>
      <source>Worst poses, {number}</source>
      <translation>Schlimmste Posen, {number}</translation>
    </message>
    <message>
      <source>flips</source>
      <translation>Umklappen</translation>
    </message>
    <message>
      <source>crossing</source>
      <translation>Durchdringung</translation>
    </message>
    <message>
      <source>normals</source>
      <translation>Normalen</translation>
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
      <source>No pose goes over a limit in {clips} (worst: {joint}, {measure} {value} of {limit})</source>
      <translation>Keine Pose überschreitet eine Grenze in {clips} (am schlimmsten: {joint}, {measure} {value} von {limit})</translation>
    </message>
    <message>
      <source>Worst poses</source>
      <translation>Schlimmste Posen</translation>
    </message>
    <message>
      <source>the clips</source>
      <translation>den Clips</translation>
    </message>
    <message>
      <source>No pose goes over a limit in {clips}</source>
      <translation>Keine Pose überschreitet eine Grenze in {clips}</translation>
    </message>
    <message>
      <source>The poses could not be measured: {reason}</source>
      <translation>Die Posen konnten nicht gemessen werden: {reason}</translation>
    </message>
    <message>
      <source>No {measure}</source>
      <translation>Ohne Befund: {measure}</translation>
    </message>
    <message>
      <source>looking for the worst poses</source>
      <translation>sucht die schlimmsten Posen</translation>
    </message>
    <message>
      <source>stopped; these were found before</source>
      <translation>beendet; diese wurden vorher gefunden</translation>
    </message>
    <message>
      <source>The file has no clips: poses of a range of motion</source>
      <translation>Die Datei hat keine Clips: Posen eines Bewegungsumfangs</translation>
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
      <source>the driver gives no second OpenGL context to draw pictures with</source>
      <translation>der Treiber gibt keinen zweiten OpenGL-Kontext, um Bilder zu zeichnen</translation>
    </message>
    <message>
      <source>The file has no mesh. B shows its bones.</source>
      <translation>Die Datei hat kein Netz. B zeigt ihre Knochen.</translation>
    </message>
    <message>
      <source>All meshes are hidden. Alt+H shows them.</source>
      <translation>Alle Netze sind ausgeblendet. Alt+H zeigt sie.</translation>
    </message>
    <message>
      <source>What is shown has no faces.</source>
      <translation>Was gezeigt wird, hat keine Flächen.</translation>
    </message>
    <message>
      <source>No vertex has a finite position in this pose.</source>
      <translation>Kein Punkt hat in dieser Pose einen endlichen Ort.</translation>
    </message>
    <message>
      <source>All meshes are outside the view. A frames them.</source>
      <translation>Alle Netze sind außerhalb der Ansicht. A holt sie ins Bild.</translation>
    </message>
    <message>
      <source>Only backs of single-sided faces are in view. C (clay) draws both sides.</source>
      <translation>Nur Rückseiten einseitiger Flächen sind zu sehen. C (Ton) zeichnet beide Seiten.</translation>
    </message>
    <message>
      <source>looking for meshes in view</source>
      <translation>sucht Netze in der Ansicht</translation>
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
      <source>Strength of the compensation</source>
      <translation>Stärke des Ausgleichs</translation>
    </message>
    <message>
      <source>From linear (0) to dual quaternion skinning (1)</source>
      <translation>Von linear (0) bis zu dualen Quaternionen (1)</translation>
    </message>
    <message>
      <source>the viewport has no OpenGL context</source>
      <translation>die Ansicht hat keinen OpenGL-Kontext</translation>
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
      <source>Whole body: {figures}</source>
      <translation>Ganzer Körper: {figures}</translation>
    </message>
    <message>
      <source>{joint}: {measure} {value}, limit {limit}</source>
      <translation>{joint}: {measure} {value}, Grenze {limit}</translation>
    </message>
    <message>
      <source>being computed, shown linearly</source>
      <translation>wird berechnet, bis dahin linear</translation>
    </message>
    <message>
      <source>this file</source>
      <translation>diese Datei</translation>
    </message>
    <message>
      <source>textured</source>
      <translation>mit Texturen</translation>
    </message>
    <message>
      <source>bend {bend}</source>
      <translation>Beugung {bend}</translation>
    </message>
    <message>
      <source>twist {twist}</source>
      <translation>Verdrehung {twist}</translation>
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
      <source>{rate:.0f} fps</source>
      <translation>{rate:.0f} B/s</translation>
    </message>
    <message>
      <source>with {file}</source>
      <translation>mit {file}</translation>
    </message>
    <message>
      <source>no difference</source>
      <translation>kein Unterschied</translation>
    </message>
    <message>
      <source>Marks: dots on the vertices whose weights changed
Weights: by how much they changed
Deformation: how far the vertices stand from where they stood</source>
      <translation>Marken: Tupfen auf den Punkten, deren Gewichte sich geändert haben
Gewichte: um wie viel sie sich geändert haben
Verformung: wie weit die Punkte von dort sind, wo sie standen</translation>
    </message>
    <message>
      <source>nothing is open</source>
      <translation>nichts ist offen</translation>
    </message>
    <message>
      <source>Painted {joint} on {vertices}</source>
      <translation>{joint} auf {vertices} gemalt</translation>
    </message>
    <message>
      <source>Without mirror: {reason}.</source>
      <translation>Ohne Spiegeln: {reason}.</translation>
    </message>
    <message>
      <source>select a joint of this mesh to paint its weight</source>
      <translation>ein Gelenk dieses Netzes auswählen, um sein Gewicht zu malen</translation>
    </message>
    <message>
      <source>This is a preview: apply it or leave it, then paint.</source>
      <translation>Das ist eine Vorschau: anwenden oder verlassen, dann malen.</translation>
    </message>
    <message>
      <source>all joints are locked</source>
      <translation>alle Gelenke sind gesperrt</translation>
    </message>
    <message>
      <source>Smoothed {vertices}</source>
      <translation>{vertices} geglättet</translation>
    </message>
    <message>
      <source>Sharpened {vertices}</source>
      <translation>{vertices} geschärft</translation>
    </message>
    <message>
      <source>The weights are still being read.</source>
      <translation>Die Gewichte werden noch gelesen.</translation>
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
      <source>The changes of {file} are not there: the file is another one since.</source>
      <translation>Die Änderungen an {file} sind nicht da: die Datei ist inzwischen eine andere.</translation>
    </message>
    <message>
      <source>the session is damaged ({error})</source>
      <translation>die Sitzung ist beschädigt ({error})</translation>
    </message>
    <message>
      <source>The changes of {file} are not there: {reason}.</source>
      <translation>Die Änderungen an {file} sind nicht da: {reason}.</translation>
    </message>
    <message>
      <source>Opening the session</source>
      <translation>Öffnet die Sitzung</translation>
    </message>
    <message>
      <source>its file is gone</source>
      <translation>ihre Datei ist weg</translation>
    </message>
    <message>
      <source>{file} is not there: {reason}.</source>
      <translation>{file} ist nicht da: {reason}.</translation>
    </message>
    <message>
      <source>What a window kept could not be read ({reason}); it was put aside in {folder}.</source>
      <translation>Was ein Fenster aufgehoben hatte, war nicht lesbar ({reason}); es liegt nun in {folder}.</translation>
    </message>
    <message>
      <source>keeping the session</source>
      <translation>hebt die Sitzung auf</translation>
    </message>
    <message>
      <source>What is open cannot be kept for a crash</source>
      <translation>Was offen ist, kann für einen Absturz nicht aufgehoben werden</translation>
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
      <source>{file} could not be saved</source>
      <translation>{file} konnte nicht gesichert werden</translation>
    </message>
    <message>
      <source>{rigs} {verb} open: {names}.</source>
      <translation>{rigs} {verb} offen: {names}.</translation>
    </message>
    <message>
      <source>Saving {file}</source>
      <translation>Sichert {file}</translation>
    </message>
    <message>
      <source>rigview ended unexpectedly</source>
      <translation>rigview wurde unerwartet beendet</translation>
    </message>
    <message>
      <source>{file} has {changes}.</source>
      <translation>{file} hat {changes}.</translation>
    </message>
    <message>
      <source>{rigs} back as they were left.</source>
      <translation>{rigs} wieder da, wie verlassen.</translation>
    </message>
    <message>
      <source>Saved {file}</source>
      <translation>{file} gesichert</translation>
    </message>
    <message>
      <source>rigview ended unexpectedly on {when:%Y-%m-%d} at {when:%H:%M}</source>
      <translation>rigview wurde am {when:%Y-%m-%d} um {when:%H:%M} unerwartet beendet</translation>
    </message>
    <message>
      <source>Not all of the session is back</source>
      <translation>Nicht die ganze Sitzung ist wieder da</translation>
    </message>
    <message>
      <source>rigview ended unexpectedly at {when:%H:%M}</source>
      <translation>rigview wurde um {when:%H:%M} unerwartet beendet</translation>
    </message>
    <message>
      <source>unsaved change</source>
      <translation>nicht gesicherte Änderung</translation>
    </message>
    <message>
      <source>A session is damaged</source>
      <translation>Eine Sitzung ist beschädigt</translation>
    </message>
    <message>
      <source>Layout and recent files are not kept: {file} cannot be written.</source>
      <translation>Anordnung und zuletzt geöffnete Dateien werden nicht behalten: {file} kann nicht geschrieben werden.</translation>
    </message>
    <message>
      <source>Preparing {method}</source>
      <translation>Bereitet {method} vor</translation>
    </message>
    <message>
      <source>preparing {method}</source>
      <translation>bereitet {method} vor</translation>
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
      <source>{name}, not saved</source>
      <translation>{name}, nicht gesichert</translation>
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
      <source>One</source>
      <translation>Eines</translation>
    </message>
    <message>
      <source>{number} side by side</source>
      <translation>{number} nebeneinander</translation>
    </message>
    <message>
      <source>Screenshot</source>
      <translation>Bildschirmfoto</translation>
    </message>
    <message>
      <source>what the first rig needs</source>
      <translation>was das erste Rig braucht</translation>
    </message>
    <message>
      <source>usually {least:.0f}° to {most:.0f}°</source>
      <translation>üblich {least:.0f}° bis {most:.0f}°</translation>
    </message>
    <message>
      <source>{name}, slider, {angle:.0f} degrees</source>
      <translation>{name}, Regler, {angle:.0f} Grad</translation>
    </message>
    <message>
      <source>{name}, slider, {angle:.0f} degrees, beyond the usual range</source>
      <translation>{name}, Regler, {angle:.0f} Grad, jenseits des üblichen Bereichs</translation>
    </message>
    <message>
      <source>{name}: drag, arrows 1°, Shift+arrows 10°, right click or Delete 0</source>
      <translation>{name}: ziehen, Pfeile 1°, Umschalt+Pfeile 10°, Rechtsklick oder Entf 0</translation>
    </message>
    <message>
      <source>Clear</source>
      <translation>Leeren</translation>
    </message>
    <message>
      <source>Scale: {figures}</source>
      <translation>Skalierung: {figures}</translation>
    </message>
    <message>
      <source>Influences: {words}</source>
      <translation>Einflüsse: {words}</translation>
    </message>
    <message>
      <source>no joint moves this vertex</source>
      <translation>kein Gelenk bewegt diesen Punkt</translation>
    </message>
    <message>
      <source>the mesh has no skin</source>
      <translation>das Netz hat keine Haut</translation>
    </message>
    <message>
      <source>Fold {name}</source>
      <translation>{name} einklappen</translation>
    </message>
    <message>
      <source>The view of the picture is restored in part.</source>
      <translation>Die Ansicht des Bildes ist teilweise wiederhergestellt.</translation>
    </message>
    <message>
      <source>{file} could not be opened</source>
      <translation>{file} konnte nicht geöffnet werden</translation>
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
      <source>Ready. F1 shows the keys.</source>
      <translation>Bereit. F1 zeigt die Tasten.</translation>
    </message>
    <message>
      <source>no joints</source>
      <translation>keine Gelenke</translation>
    </message>
    <message>
      <source>no mesh</source>
      <translation>kein Netz</translation>
    </message>
    <message>
      <source>Add the clips of {file}</source>
      <translation>Clips aus {file} hinzugefügt</translation>
    </message>
    <message>
      <source>up to {influences}</source>
      <translation>bis zu {influences}</translation>
    </message>
    <message>
      <source>{file} has changed on disk</source>
      <translation>{file} hat sich auf der Platte geändert</translation>
    </message>
    <message>
      <source>; the rest pose is shown</source>
      <translation>; die Ruhepose wird gezeigt</translation>
    </message>
    <message>
      <source>The view of the picture is restored in part</source>
      <translation>Die Ansicht des Bildes ist zum Teil wiederhergestellt</translation>
    </message>
    <message>
      <source>{file} could not be opened; {other} stays open</source>
      <translation>{file} konnte nicht geöffnet werden; {other} bleibt offen</translation>
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
      <source>Fixing: {fix}</source>
      <translation>Repariert: {fix}</translation>
    </message>
    <message>
      <source>Fix {findings}</source>
      <translation>{findings} repariert</translation>
    </message>
    <message>
      <source>Vertices moved by up to {length}.</source>
      <translation>Vertices haben sich um bis zu {length} bewegt.</translation>
    </message>
    <message>
      <source>Checked again: {findings}.</source>
      <translation>Erneut geprüft: {findings}.</translation>
    </message>
    <message>
      <source>Nothing was fixed: {reason}.</source>
      <translation>Nichts wurde repariert: {reason}.</translation>
    </message>
    <message>
      <source>{number} not fixed.</source>
      <translation>{number} nicht repariert.</translation>
    </message>
    <message>
      <source>Fixed {number}.</source>
      <translation>{number} repariert.</translation>
    </message>
    <message>
      <source>fixing all that is exact</source>
      <translation>repariert alles, was exakt ist</translation>
    </message>
    <message>
      <source>The studio's settings cannot be used</source>
      <translation>Die Vorgaben des Studios sind nicht verwendbar</translation>
    </message>
    <message>
      <source>counting what is ignored</source>
      <translation>zählt, was ausgelassen wird</translation>
    </message>
    <message>
      <source>measuring fixes</source>
      <translation>misst Reparaturen</translation>
    </message>
    <message>
      <source>nothing needs it</source>
      <translation>nichts braucht es</translation>
    </message>
    <message>
      <source>Reading {clip}</source>
      <translation>Liest {clip}</translation>
    </message>
    <message>
      <source>Opening {file}</source>
      <translation>Öffnet {file}</translation>
    </message>
    <message>
      <source>comparing with {file}</source>
      <translation>vergleicht mit {file}</translation>
    </message>
    <message>
      <source>this rig</source>
      <translation>dieses Rig</translation>
    </message>
    <message>
      <source>Shows first what it changes.</source>
      <translation>Zeigt zuerst, was es ändert.</translation>
    </message>
    <message>
      <source>Choose the vertices</source>
      <translation>Die Punkte wählen</translation>
    </message>
    <message>
      <source>Edit their weights in the table, or paint them</source>
      <translation>Ihre Gewichte in der Tabelle ändern oder malen</translation>
    </message>
    <message>
      <source>Fill by geodesic voxels…</source>
      <translation>Über geodätische Voxel füllen…</translation>
    </message>
    <message>
      <source>Give these vertices the weights of the bones that are nearest through the body</source>
      <translation>Diesen Punkten die Gewichte der Knochen geben, die durch den Körper am nächsten sind</translation>
    </message>
    <message>
      <source>Smooth from the ring around…</source>
      <translation>Vom Ring ringsum glätten…</translation>
    </message>
    <message>
      <source>Give these vertices the mean of their neighbours, which do not follow the far joint</source>
      <translation>Diesen Punkten das Mittel ihrer Nachbarn geben, die dem fernen Gelenk nicht folgen</translation>
    </message>
    <message>
      <source>Mirror from the better side…</source>
      <translation>Von der besseren Seite spiegeln…</translation>
    </message>
    <message>
      <source>Give both sides the weights of the one that deforms better</source>
      <translation>Beiden Seiten die Gewichte der Seite geben, die sich besser verformt</translation>
    </message>
    <message>
      <source>Smooth the region…</source>
      <translation>Die Gegend glätten…</translation>
    </message>
    <message>
      <source>Smooth what the joint blends with the one above it, by the best of three amounts</source>
      <translation>Glätten, was das Gelenk mit dem darüber überblendet, mit dem besten von drei Maßen</translation>
    </message>
    <message>
      <source>Not tried: {reason}.</source>
      <translation>Nicht probiert: {reason}.</translation>
    </message>
    <message>
      <source>Not advised: it makes the shape worse. </source>
      <translation>Nicht ratsam: es verschlechtert die Form. </translation>
    </message>
    <message>
      <source>It changes no shape that is measured. </source>
      <translation>Es ändert keine gemessene Form. </translation>
    </message>
    <message>
      <source>trying the cure</source>
      <translation>probiert die Abhilfe</translation>
    </message>
    <message>
      <source>Writing {file}</source>
      <translation>Schreibt {file}</translation>
    </message>
    <message>
      <source>Saved {file}.</source>
      <translation>{file} gesichert.</translation>
    </message>
    <message>
      <source>{fitted:.3f} of the radius off at {held}°, {full:.3f} at full strength, DQS {dqs:.3f}</source>
      <translation>{fitted:.3f} des Radius daneben bei {held}°, {full:.3f} bei voller Stärke, DQS {dqs:.3f}</translation>
    </message>
    <message>
      <source>Set the mask of {joint} to {value:g}</source>
      <translation>Maske von {joint} auf {value:g} gesetzt</translation>
    </message>
    <message>
      <source>Fit the mask of {method} to flesh at {joints}</source>
      <translation>Maske von {method} an Fleisch angepasst: {joints}</translation>
    </message>
    <message>
      <source>Set the mask of {vertices} to {value:g}</source>
      <translation>Maske auf {value:g} gesetzt: {vertices}</translation>
    </message>
    <message>
      <source>No joint could be fitted ({reasons}).</source>
      <translation>Kein Gelenk konnte angepasst werden ({reasons}).</translation>
    </message>
    <message>
      <source>none bends</source>
      <translation>keines beugt sich</translation>
    </message>
    <message>
      <source>Fitting the mask to flesh</source>
      <translation>Passt die Maske an Fleisch an</translation>
    </message>
    <message>
      <source>painting the mask</source>
      <translation>malt die Maske</translation>
    </message>
    <message>
      <source>Select the joint whose vertices are to be set.</source>
      <translation>Das Gelenk auswählen, dessen Punkte gesetzt werden sollen.</translation>
    </message>
    <message>
      <source>bending joints as flesh</source>
      <translation>beugt Gelenke wie Fleisch</translation>
    </message>
    <message>
      <source>Retargeted from {file}: {number} of {joints} have a counterpart</source>
      <translation>Übertragen aus {file}: {number} von {joints} mit Gegenstück</translation>
    </message>
    <message>
      <source>Furthest from where the motion has them, of the length of a leg: {names}.</source>
      <translation>Am weitesten von dort, wo die Bewegung sie hat, in Beinlängen: {names}.</translation>
    </message>
    <message>
      <source>{number} of {joints} of {file} did not match</source>
      <translation>{number} von {joints} aus {file} ohne Gegenstück</translation>
    </message>
    <message>
      <source>Without counterpart here: {names}.</source>
      <translation>Ohne Gegenstück hier: {names}.</translation>
    </message>
    <message>
      <source>{file}: nothing to take over</source>
      <translation>{file}: nichts zu übernehmen</translation>
    </message>
    <message>
      <source>making a range of motion</source>
      <translation>macht einen Bewegungsumfang</translation>
    </message>
    <message>
      <source>Add {clips} of {file}</source>
      <translation>{clips} aus {file} hinzugefügt</translation>
    </message>
    <message>
      <source>Retarget {clips} of {file}</source>
      <translation>{clips} aus {file} übertragen</translation>
    </message>
    <message>
      <source>No joint below another moves anything here.</source>
      <translation>Kein Gelenk unter einem anderen bewegt hier etwas.</translation>
    </message>
    <message>
      <source>It has no clip that moves a joint of this rig's names.</source>
      <translation>Sie hat keinen Clip, der ein Gelenk mit einem Namen dieses Rigs bewegt.</translation>
    </message>
    <message>
      <source>range of motion</source>
      <translation>Bewegungsumfang</translation>
    </message>
    <message>
      <source>Added a range of motion.</source>
      <translation>Bewegungsumfang hinzugefügt.</translation>
    </message>
    <message>
      <source>Unsaved notes</source>
      <translation>Ungespeicherte Notizen</translation>
    </message>
    <message>
      <source>Add note {number}</source>
      <translation>Notiz {number} hinzugefügt</translation>
    </message>
    <message>
      <source>Delete note {number}</source>
      <translation>Notiz {number} gelöscht</translation>
    </message>
    <message>
      <source>Deleted note {number}.</source>
      <translation>Notiz {number} gelöscht.</translation>
    </message>
    <message>
      <source>{file} has no note that is not here already, or was deleted here.</source>
      <translation>{file} hat keine Notiz, die nicht schon hier ist oder hier gelöscht wurde.</translation>
    </message>
    <message>
      <source>Take in notes of {file}</source>
      <translation>Notizen aus {file} aufgenommen</translation>
    </message>
    <message>
      <source>The notes on {file} have changed and are not saved.</source>
      <translation>Die Notizen zu {file} haben sich geändert und sind nicht gesichert.</translation>
    </message>
    <message>
      <source>Change note {number}</source>
      <translation>Notiz {number} geändert</translation>
    </message>
    <message>
      <source>Draw on note {number}</source>
      <translation>In Notiz {number} gezeichnet</translation>
    </message>
    <message>
      <source>The file that is there cannot be read, and is kept: {error}.</source>
      <translation>Die Datei dort ist nicht lesbar und bleibt, wie sie ist: {error}.</translation>
    </message>
    <message>
      <source>The file has no clip {clip}.</source>
      <translation>Die Datei hat keinen Clip {clip}.</translation>
    </message>
    <message>
      <source>{notes} added, {changed} changed.</source>
      <translation>{notes} hinzugefügt, {changed} geändert.</translation>
    </message>
    <message>
      <source>{notes} added, {changed} changed, {deleted} deleted.</source>
      <translation>{notes} hinzugefügt, {changed} geändert, {deleted} gelöscht.</translation>
    </message>
    <message>
      <source>Take in notes written elsewhere</source>
      <translation>Anderswo geschriebene Notizen aufgenommen</translation>
    </message>
    <message>
      <source>The notes cannot be read</source>
      <translation>Die Notizen sind nicht lesbar</translation>
    </message>
    <message>
      <source>The notes could not be saved</source>
      <translation>Die Notizen konnten nicht gesichert werden</translation>
    </message>
    <message>
      <source>giving memory back</source>
      <translation>gibt Speicher zurück</translation>
    </message>
    <message>
      <source>binding the mesh</source>
      <translation>bindet das Netz</translation>
    </message>
    <message>
      <source>measuring the rest pose</source>
      <translation>misst die Ruhepose</translation>
    </message>
    <message>
      <source>decoding images</source>
      <translation>entpackt Bilder</translation>
    </message>
    <message>
      <source>preparing the preview</source>
      <translation>bereitet die Vorschau vor</translation>
    </message>
    <message>
      <source>Frame {frame:.4g} of {clip}, where most moves.</source>
      <translation>Bild {frame:.4g} von {clip}, wo sich am meisten bewegt.</translation>
    </message>
    <message>
      <source>The pose of a range of motion in which most moves.</source>
      <translation>Die Pose eines Bewegungsumfangs, in der sich am meisten bewegt.</translation>
    </message>
    <message>
      <source>the file has no clip {clip}</source>
      <translation>die Datei hat keinen Clip {clip}</translation>
    </message>
    <message>
      <source>Retargeting {file}</source>
      <translation>Überträgt {file}</translation>
    </message>
    <message>
      <source>Took the map {file}.</source>
      <translation>Zuordnung {file} übernommen.</translation>
    </message>
    <message>
      <source>Saved the map {file}.</source>
      <translation>Zuordnung {file} gesichert.</translation>
    </message>
    <message>
      <source>{file}: no motion</source>
      <translation>{file}: keine Bewegung</translation>
    </message>
    <message>
      <source>{file} could not be used</source>
      <translation>{file} war nicht verwendbar</translation>
    </message>
    <message>
      <source>Retargeting was left: the rig has other joints now.</source>
      <translation>Das Übertragen wurde verlassen: das Rig hat nun andere Gelenke.</translation>
    </message>
    <message>
      <source>The file has no clip.</source>
      <translation>Die Datei hat keinen Clip.</translation>
    </message>
    <message>
      <source>The map was not saved</source>
      <translation>Die Zuordnung wurde nicht gesichert</translation>
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
      <source>{number} for information</source>
      <translation>{number} zur Kenntnis</translation>
    </message>
    <message>
      <source>{file} does not carry everything</source>
      <translation>{file} enthält nicht alles</translation>
    </message>
    <message>
      <source>{file} can hold these fixes:</source>
      <translation>{file} kann diese Reparaturen halten:</translation>
    </message>
    <message>
      <source>These changes to {file} are not saved:</source>
      <translation>Diese Änderungen an {file} sind nicht gesichert:</translation>
    </message>
    <message>
      <source>Save copy…</source>
      <translation>Kopie speichern…</translation>
    </message>
    <message>
      <source>Left in the {profile} profile: {findings}.</source>
      <translation>Übrig im Profil {profile}: {findings}.</translation>
    </message>
    <message>
      <source>The checks are still running.</source>
      <translation>Die Prüfungen laufen noch.</translation>
    </message>
    <message>
      <source>Trying what can be saved</source>
      <translation>Probiert, was sich sichern lässt</translation>
    </message>
    <message>
      <source>drawing worst poses</source>
      <translation>zeichnet die schlimmsten Posen</translation>
    </message>
    <message>
      <source>measuring tried poses</source>
      <translation>misst probierte Posen</translation>
    </message>
    <message>
      <source>The weights are so already: nothing changed.</source>
      <translation>Die Gewichte sind schon so: nichts hat sich geändert.</translation>
    </message>
    <message>
      <source>Editing weights</source>
      <translation>Ändert Gewichte</translation>
    </message>
    <message>
      <source>Flood {joint}: {tool} {value:.4g} on {vertices}</source>
      <translation>{joint} geflutet: {tool} {value:.4g}, {vertices}</translation>
    </message>
    <message>
      <source>The brush sets {value:.4f} now.</source>
      <translation>Der Pinsel setzt jetzt {value:.4f}.</translation>
    </message>
    <message>
      <source>Sharpen {vertices}</source>
      <translation>{vertices} schärfen</translation>
    </message>
    <message>
      <source>This mesh is not skinned: it has no weights to paint.</source>
      <translation>Dieses Netz ist nicht gebunden: es hat keine Gewichte zum Malen.</translation>
    </message>
    <message>
      <source>scanning {clip}, {share:.0f} %</source>
      <translation>durchsucht {clip}, {share:.0f} %</translation>
    </message>
    <message>
      <source>scanning joints</source>
      <translation>durchsucht Gelenke</translation>
    </message>
    <message>
      <source>nothing is scanned</source>
      <translation>nichts wird durchsucht</translation>
    </message>
    <message>
      <source>{place} worst poses: {pose}, frame {frame:.0f} of {clip}. Backspace goes back.</source>
      <translation>{place} schlimmste Posen: {pose}, Bild {frame:.0f} von {clip}. Rücktaste geht zurück.</translation>
    </message>
    <message>
      <source>about the limb above bend {bend:.0f}°, twist {twist:.0f}°</source>
      <translation>um das Glied darüber Beugung {bend:.0f}°, Verdrehung {twist:.0f}°</translation>
    </message>
    <message>
      <source>This is what was shown before the worst pose.</source>
      <translation>Das war vor der schlimmsten Pose zu sehen.</translation>
    </message>
    <message>
      <source>No worst pose was gone to.</source>
      <translation>Zu keiner schlimmsten Pose wurde gegangen.</translation>
    </message>
  </context>
</TS>