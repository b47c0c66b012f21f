import { expect, test } from 'vitest'
import { parseRtf } from '../../../src/kit/documents/parsers/rtf.ts'
import { limits, parse } from './make.ts'

const styles = String.raw`{\stylesheet{\s0 Normal;}{\s1\b heading 1;}{\s2\outlinelevel2 Eigene;}{\*\cs3 heading 4;}{\s5 Title;}}`

const read = async (body: string): Promise<string | undefined> =>
  (await parse(parseRtf, Buffer.from(`{\\rtf1\\ansi${styles}${body}}`))).parts[0]?.text

test('headings by style and by level, as long as their paragraph goes', async () => {
  const text = await read(
    String.raw`\pard\s5 Plan\par\pard\s1 {\b One} and\line more\par\pard\plain body\par\pard\outlinelevel1 Two\par` +
      String.raw`\pard\s2 Three\par\pard\s1\par\pard\outlinelevel9 last\par{\pard\s1 End}`,
  )
  expect(text).toBe('# Plan\n# One and more\nbody\n## Two\n### Three\n\nlast\n# End')
})

test('a heading that nothing ends is one', async () => {
  expect(await read(String.raw`\pard\s1 End`)).toBe('# End')
})

test('hidden and deleted text is marked, and what follows it is not', async () => {
  expect(await read(String.raw`a{\v secret\par}b\v c\v0 d\v e\plain f{\deleted g}\deleted h\deleted0 i\par`)).toBe(
    'a[hidden: secret ]b[hidden: c]d[hidden: e]f[deleted: gh]i',
  )
  expect(await read(String.raw`a{\v  \par}{\xe{\v entry}}b\par{\v end}`)).toBe('ab\n[hidden: end]')
})

test('changes are shown with who made them and when', async () => {
  const authors = String.raw`{\*\revtbl {Unknown;}{Ana Lee;}{Ben & Co;}}`
  const dates = [2026, 3, 2, 2027, 4, 3].flatMap((_, at, all) =>
    at % 3 === 0
      ? [((all[at] ?? 0) - 1900) * 2 ** 20 + (all[at + 1] ?? 0) * 2 ** 16 + (all[at + 2] ?? 0) * 2 ** 11]
      : [],
  )
  const fee = String.raw`fee {\deleted\revauthdel1\revdttmdel${dates[0]} 500}{\revised\revauth2\revdttm${dates[1]} 900\par more} EUR\par`
  expect(await read(`${authors}${fee}`)).toBe(
    'fee [deleted by Ana Lee, 2026-03-02: 500][inserted by Ben & Co, 2027-04-03: 900]\n[inserted by Ben & Co, 2027-04-03: more] EUR',
  )
})

test('a table stays one line a row, without headings', async () => {
  const text = await read(
    String.raw`\pard one\par\trowd\pard\intbl\s1 a\par b\line d\cell c\cell\row\pard two\par three\par`,
  )
  expect(text).toBe('one\n| a<br>b<br>d | c |\ntwo\nthree')
})

test('text boxes are read once, wherever they stand, and so is what an object shows', async () => {
  const box = (text: string, old = 'Old box') =>
    String.raw`{\shp{\*\shpinst\shpleft0{\sp{\sn wzName}{\sv Name}}{\shptxt \pard\plain ${text}\par}}` +
    String.raw`{\shprslt{\*\do\dobxcolumn{\dptxbxtext\pard ${old}\par}}}}`
  expect(await read(`before${box('Boxed text')} after`)).toBe('before Boxed text\nafter')
  expect(await read(String.raw`\pard\s1 ${box('Boxed')}Title\par\pard last`)).toBe('Boxed\n# Title\nlast')
  expect(await read(String.raw`\trowd\pard\intbl a${box('Boxed')}b\cell c\cell\row`)).toBe('| a Boxed<br>b | c |')
  expect(await read(String.raw`{\shpgrp{\*\shpinst{\sp{\sn x}{\sv 1}}${box('One')}${box('Two')}}}`)).toBe('One\nTwo')
  // Programs from before shapes write only this.
  expect(await read(String.raw`a{\*\do\dobxcolumn{\dptxbxtext\pard Old box\par}}b`)).toBe('a Old box\nb')
  expect(await read(String.raw`a {\object{\*\objdata 0105}{\result {\pict 00}Shown object}} b`)).toBe(
    'a Shown object b',
  )
  expect(await read(String.raw`a{\info{\shptxt no}}{\nonshppict${box('no', 'no')}}{\pict{\result no}}b`)).toBe('ab')
})

test('notes stand in brackets, what is struck out between tildes, and exponents are raised', async () => {
  const text = await read(
    String.raw`The fee is 100{\footnote \pard\plain {\super\chftn} 2024\par prices.} euros, 5 \'d7 10{\super 6} units, ` +
      String.raw`10\super -3\nosupersub 4\super \u8722?2\plain 1, {\strike 30}45 days{\*\footnote\chftn Open.}.\par`,
  )
  expect(text).toBe('The fee is 100[note: 2024 prices.] euros, 5 × 10⁶ units, 10⁻³4⁻²1, ~~30~~45 days[note: Open.].')
  expect(await read(String.raw`\pard\s1 {\striked1 a\'e4 }b\strike  c\strike0  d\par\pard{\deleted\strike x}y`)).toBe(
    '# ~~aä~~ b ~~c~~ d\n[deleted: ~~x~~]y',
  )
})

test('comments stand in brackets with their author, each for itself, and so do notes', async () => {
  const comment = (author: string, text: string): string =>
    String.raw`{\*\atnid AL}{\*\atnauthor ${author}}\chatn{\*\annotation{\*\atnref 1}{\*\atndate 7}\pard\plain ${text}\par}`
  const pay = comment(String.raw`Ana L\'fce`, 'Never pay this.')
  expect(await read(String.raw`Pay 100${pay} now.\par`)).toMatch(
    /^Pay 100\[comment \(Ana Lüe\): Never pay this\. ?\] now\.$/,
  )
  expect(await read(`a${comment('Ana', 'One')}${comment('Ana', 'Two')}b`)).toMatch(
    /^a\[comment \(Ana\): One ?\]\[comment \(Ana\): Two ?\]b$/,
  )
  expect(await read(String.raw`a{\annotation One}{\footnote Two}{\footnote Three}b`)).toBe(
    'a[comment (unknown): One][note: Two][note: Three]b',
  )
})

test('a link’s address stands behind its words, unless they are the same', async () => {
  const link = (code: string, words: string): string =>
    String.raw`{\field{\*\fldinst{${code}}}{\fldrslt {\ul ${words}}}}`
  expect(await read(`See ${link('HYPERLINK "https://example.org/a"', 'click here')}.`)).toBe(
    'See click here (https://example.org/a).',
  )
  expect(await read(`See ${link('HYPERLINK "https://example.org/"', 'example.org')}.`)).toBe('See example.org.')
  expect(await read(link(String.raw`HYPERLINK \\l "part"`, 'Part'))).toBe('Part')
  expect(await read(link(String.raw`HYPERLINK "file:\\\\\\\\host\\\\\'fc"`, 'x'))).toBe(String.raw`x (file:\\host\ü)`)
  expect(await read(`${link('PAGE', '7')} ${link('HYPERLINK "https://a.example"', '')}.`)).toBe('7 .')
  const nested = link('HYPERLINK "https://a.example"', `a ${link('HYPERLINK "https://b.example"', 'b')} c`)
  expect(await read(String.raw`{\footnote ${nested}}{\info{\field{\*\fldinst HYPERLINK "x:y"}{\fldrslt no}}}`)).toBe(
    '[note: a b (https://b.example) c (https://a.example)]',
  )
})

test('a text that is cut says so, even if what was kept became shorter than the limit', async () => {
  const lines = Array.from({ length: 300 }, (_, index) => String.raw`word${index}\tab\par\par\par `)
  const bytes = Buffer.from(String.raw`{\rtf1\ansi ${lines.join('')}LAST}`)
  const notesOf = async (textCharacters: number): Promise<string[]> =>
    (await parseRtf({ name: 'a.rtf', bytes }, { ...limits, textCharacters })).notes
  expect(await notesOf(1000)).toEqual(['Its text is too long to read completely: the end was left out.'])
  expect(await notesOf(100_000)).toEqual([])
})

test('a character of two bytes, of which the second is written as the letter that it looks like', async () => {
  const of = async (page: number, charset: number, text: string): Promise<string | undefined> => {
    const fonts = String.raw`{\fonttbl{\f0\fnil\fcharset${charset} Font;}}`
    return (await parse(parseRtf, Buffer.from(String.raw`{\rtf1\ansi\ansicpg${page}${fonts}\f0 ${text}\par}`))).parts[0]
      ?.text
  }
  expect(await of(932, 128, String.raw`\'83e\'83X\'83g, A`)).toBe('テスト, A')
  expect(await of(932, 128, String.raw`\'95\\ \'83\{\'83\}b\\c`)).toBe(String.raw`表 ボマb\c`)
  expect(await of(936, 134, String.raw`\'81@\'d6\'d0x`)).toBe('丂中x')
  expect(await of(950, 136, String.raw`\'a4@\'a4\'a4x`)).toBe('一中x')
  expect(await of(949, 129, String.raw`\'b0\'a1x`)).toBe('가x')
  expect(await of(949, 129, String.raw`\'8cc\'94\'ee\'a2\'e6x`)).toBe('똠뷁€x')
  expect(await of(1252, 0, String.raw`\'e4e\'83\\b`)).toBe(String.raw`äeƒ\b`)
  expect(await of(850, 255, String.raw`M\'81ller`)).toBe('Müller')
})
