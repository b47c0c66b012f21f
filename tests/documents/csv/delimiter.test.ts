import { expect, test } from 'vitest'
import { delimiterOf, noDelimiter } from '../../../src/kit/documents/parsers/csv/delimiter.ts'

const lines = (...rows: string[]): string => `${rows.join('\r\n')}\r\n`

test.each([
  ['decimal commas', ';', lines('1,5;2,5', '3,5;4,5', '5,25;6,0')],
  ['decimal commas under a head', ';', lines('Ort;Preis', 'Köln;1.250,50', 'Bonn;2,75')],
  ['decimal commas with tabs', '\t', lines('1,5\t2,5', '3,5\t4,5')],
  ['times', ';', lines('Beginn;Ende;Raum', '12:30;13:00;A, B', '14:00;14:45;C, D')],
  ['times with commas', ',', lines('12:30,13:00', '14:00,14:45')],
  ['numbers only', ',', lines('1,2,3', '4,5,6')],
  ['semicolons in quotes', ',', lines('name,note', 'a,"x; y; z"', 'b,"x; y; z"')],
  ['semicolons in plain text', ',', lines('name,note,n', 'a,x; y,1', 'b,plain,2', 'c,p; q; r,3')],
  ['lists in cells', ',', lines('id,tags,n', '1,a|b|c,3', '2,d|e|f,4')],
  ['commas in quotes', ';', lines('"Name, Vorname";Ort', '"Müller, Hans";Köln', '"Maier, Eva";Bonn')],
  ['commas before spaces', ';', lines('Name, Vorname;Ort', 'Müller, Hans;Köln', 'Maier, Eva;Bonn')],
  [
    'uneven rows whose quoted cells hold commas',
    ';',
    lines(
      'Geltung;Zahlung;Güte',
      'Falke;"1.250,50 Euro";3',
      '"Erst dies, dann das, dann mehr";"a ""b"" c";;-1.5',
      '"Noch ein Satz, mit Folgen";"a ""b"" c";;-1.5',
      '"Auch hier, wie immer";x',
    ),
  ],
  ['line ends in quotes', ';', lines('a;b', '"x, y,', 'z, w, v";1', '"p', 'q, r";2')],
  ['spaces behind commas', ',', lines('a, b, c', '1, 2, 3', '4, 5, 6')],
  ['a title above', ';', lines('Bericht, Stand 2021', '', 'Name;Ort', 'A;B', 'C;D')],
  ['an end of row in each row', ';', lines('a;b;', '1,5;2;', '2,5;3;')],
  ['bars', '|', lines('a|b|c', '1,5|2, 3|4', '2,5|x|y')],
  ['one row', ';', 'a;b;c'],
  ['one row of decimal commas', ';', '1,5;2,5;3,5'],
  ['two rows', ';', 'Name;Preis\nÄpfel, rot;1,50'],
  ['a head alone', ',', 'id,name,price\n'],
  ['a quote that is never closed', ',', lines('a,b', '"open,1', '2,3')],
  ['a head shorter than its rows', ',', lines('a,b', '1,2,3', '4,5,6')],
])('%s: %j', (_, delimiter, text) => {
  expect(delimiterOf(text)).toBe(delimiter)
})

test.each([
  ['a name and decimal commas', lines('Preis', '1,50', '2,75')],
  ['names and places', lines('Adresse', 'Müller, Köln', 'Maier, Bonn')],
  ['sentences', lines('Dear all, this is text.', 'It has, as said, commas; and more.', 'The end.')],
  ['one sentence', 'Hello, world'],
  ['a comma here and there', lines('Ort', 'Köln', 'Bonn', 'Trier,Mosel', 'Mainz')],
])('one column stays one: %s', (_, text) => {
  expect(delimiterOf(text)).toBe(noDelimiter)
})

test('a long file is told by its beginning, wherever that ends', () => {
  const row = '"Ein Satz, der lang ist";1.250,50;12:30\n'
  for (const count of [1600, 1700, 5000]) expect(delimiterOf(`Satz;Betrag;Zeit\n${row.repeat(count)}`)).toBe(';')
  expect(delimiterOf(`a;b\n"never, ever, ${'closed, '.repeat(20_000)}`)).toBe(';')
})
