import type { Language } from './language.ts'

export const german: Language = {
  code: 'de',
  companies:
    'Altmühl Keramik|Bergland Molkerei|Dornbusch Textil|Elbufer Reederei|Falkenried Optik|Gutenhof Saaten|Hohenfels Zement|Isartal Papier|Jadebusen Werft|Kaltenbach Pumpen|Lindenau Druck|Moosgrund Glas|Nordheide Kabel|Oderbruch Stahl|Pfälzer Kork|Rauhfels Motoren'.split(
      '|',
    ),
  people:
    'Annegret Möller|Jürgen Wachsmuth|Beate Köhler|Matthias Straub|Ulrike Schäfer|Dieter Özkan|Franziska Groß|Holger Büttner'.split(
      '|',
    ),
  projects: 'Leuchtturm|Granit|Sperling|Kobalt|Ernte|Morgenröte|Obstgarten|Falke'.split('|'),
  products: 'Verdichter V-300|Lüfter Brise|Kältetruhe Polar|Kran Atlas|Presse Takt|Kessel Sierra|Mischer Delta'.split(
    '|',
  ),
  cities: 'Göttingen|Würzburg|Lübeck|Görlitz|Saarbrücken|Münster|Kempten|Zwickau'.split('|'),
  headings: 'Geltung|Zahlung|Lieferung|Güte|Personal|Sicherheit|Berichte|Änderungen|Sitzungen|Lagerung'.split('|'),
  space: ' ',
  amount: (value) => `${value.toLocaleString('de-DE', { minimumFractionDigits: 2 })} Euro`,
  date: (day, month, year) => `${String(day).padStart(2, '0')}.${String(month).padStart(2, '0')}.${year}`,
  facts: [
    {
      sentence: ({ company, days }) =>
        `Die Kündigungsfrist gegenüber ${company} beträgt ${days} Tage zum Quartalsende.`,
      key: ({ company, days }) => `gegenüber ${company} beträgt ${days} Tage`,
      keywords: ({ company }) => `Kündigungsfrist ${company}`,
      phrase: ({ company }) => `"Kündigungsfrist gegenüber ${company}"`,
      question: ({ company }) => `Wie lang sind die Kündigungsfristen bei ${company}?`,
      mistyped: () => 'Kündigungsfrist',
    },
    {
      sentence: ({ code, company, amount, date }) =>
        `Die Rechnung ${code} von ${company} über ${amount} wurde am ${date} bezahlt.`,
      key: ({ code }) => `Rechnung ${code}`,
      keywords: ({ code }) => `Rechnung ${code}`,
      phrase: ({ code, company }) => `"Rechnung ${code} von ${company}"`,
      number: ({ amount, code }) => `${amount} ${code}`,
      question: ({ code }) => `Wann haben wir die Rechnung mit der Nummer ${code} bezahlt?`,
      mistyped: () => 'Rechnung',
    },
    {
      sentence: ({ person, project, city }) =>
        `Für die Umstellung von ${project} in ${city} ist ${person} verantwortlich.`,
      key: ({ project, city, person }) => `von ${project} in ${city} ist ${person} verantwortlich`,
      keywords: ({ project, city }) => `verantwortlich Umstellung ${project} ${city}`,
      phrase: ({ project, city }) => `"Umstellung von ${project} in ${city}"`,
      question: ({ project, city }) => `Wer hat die Verantwortung für Umstellungen von ${project} in ${city}?`,
      mistyped: () => 'Umstellung',
    },
    {
      sentence: ({ section, company, amount }) =>
        `Nach Abschnitt ${section} haftet ${company} höchstens mit ${amount}.`,
      key: ({ section, company }) => `Nach Abschnitt ${section} haftet ${company}`,
      keywords: ({ company }) => `haftet höchstens ${company}`,
      phrase: ({ company }) => `"haftet ${company} höchstens"`,
      number: ({ section, company }) => `Abschnitt ${section} ${company}`,
      question: ({ company }) => `Mit welchem Betrag haften die von ${company} höchstens?`,
      mistyped: ({ company }) => company.split(' ')[0] ?? '',
    },
    {
      sentence: ({ product, code, days }) =>
        `Für den Artikel ${product} mit der Seriennummer ${code} gilt eine Garantie von ${days} Monaten.`,
      key: ({ code, days }) => `Seriennummer ${code} gilt eine Garantie von ${days} Monaten`,
      keywords: ({ product, code }) => `Garantie ${product} ${code}`,
      phrase: ({ code }) => `"Seriennummer ${code}"`,
      number: ({ code }) => code,
      question: ({ code }) => `Wie viele Monate Garantie hat die Seriennummer ${code}?`,
      mistyped: () => 'Garantie',
    },
    {
      sentence: ({ project, city, email }) => `Fragen zu ${project} in ${city} beantwortet ${email}.`,
      key: ({ email }) => `beantwortet ${email}`,
      keywords: ({ email }) => email,
      phrase: ({ project, city }) => `"Fragen zu ${project} in ${city}"`,
      question: ({ project, city }) => `Wer antwortet auf eine Frage zu ${project} in ${city}?`,
      mistyped: ({ project }) => project,
    },
  ],
  fillers: [
    ({ company }) => `${company} berichtet jeden Monat über Lieferungen, Güte und offene Punkte.`,
    ({ project }) => `Die Gruppe ${project} trifft sich alle zwei Wochen und führt Protokoll.`,
    ({ city }) => `Waren, die in ${city} eintreffen, werden vor der Lagerung auf Schäden geprüft.`,
    ({ product }) => `Zu jedem Gerät vom Typ ${product} gehört ein Handbuch.`,
    () => 'Änderungen dieser Unterlage bedürfen der Schriftform und der Zustimmung beider Seiten.',
    () => 'Soweit nichts anderes gesagt ist, zählen Fristen in Kalendertagen.',
    ({ person }) => `${person} hat eine frühere Fassung gelesen und um kürzere Kapitel gebeten.`,
    () => 'Rechnungen werden vor der Zahlung von zwei Personen geprüft.',
    () => 'An Feiertagen ist das Haus geschlossen; die Auskunft antwortet schriftlich.',
    ({ company, city }) => `Das Lager von ${company} in ${city} hält einen Vorrat für zwei Wochen.`,
    () => 'Störungen werden erfasst, nach Gewicht geordnet und in der nächsten Sitzung besprochen.',
    () => 'Die Garantie umfasst keinen Verschleiß und keine Teile anderer Hersteller.',
    () => 'Der Zutritt zum Gebäude erfolgt mit Karte; Gäste werden am Eingang abgeholt.',
  ],
  rights: [
    {
      text: 'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen.',
      question: 'frei und gleich geboren, Vernunft und Gewissen',
    },
    {
      text: 'Jeder hat das Recht auf Leben, Freiheit und Sicherheit der Person.',
      question: 'Recht auf Leben und Freiheit',
    },
    {
      text: 'Niemand darf in Sklaverei oder Leibeigenschaft gehalten werden; Sklaverei und Sklavenhandel sind in allen ihren Formen verboten.',
      question: 'Verbot der Sklaverei',
    },
    {
      text: 'Niemand darf willkürlich festgenommen, in Haft gehalten oder des Landes verwiesen werden.',
      question: 'willkürliche Festnahme',
    },
    {
      text: 'Jeder hat das Recht auf Bildung. Die Bildung ist unentgeltlich, zum mindesten der Grundschulunterricht.',
      question: 'unentgeltliche Bildung',
    },
  ],
}
