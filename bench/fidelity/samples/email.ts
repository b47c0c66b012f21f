import type { Mark, Sample } from '../sample.ts'
import { type Story, storyOf } from '../texts.ts'
import { encoderOf } from './encode.ts'

/** Messages, written by hand as programs write them. */
export const emailSamples = async (stories: Map<string, Story>): Promise<Sample[]> => [
  ...[...stories.values()].map(message),
  newsletter(storyOf(stories, 'de')),
  japanese(storyOf(stories, 'ja')),
]

const encodedWord = (text: string): string => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`

/** Sender, subject and text in base64; an attachment. */
function message({ language, title, sections, items }: Story): Sample {
  const [sender = '', receiver = ''] = items
  const blocks = sections.flatMap(({ paragraphs }) => paragraphs)
  const body = Buffer.from(blocks.join('\r\n\r\n')).toString('base64').replace(/.{76}/g, '$&\r\n')
  const lines = [
    `From: ${encodedWord(sender)} <from@example.org>`,
    `To: ${encodedWord(receiver)} <to@example.org>`,
    'Date: Mon, 06 May 2024 07:08:09 +0200',
    `Subject: ${encodedWord(title)}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="=_b"',
    '',
    '--=_b',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    body,
    '--=_b',
    'Content-Type: application/pdf',
    `Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(`${title}.pdf`)}`,
    'Content-Transfer-Encoding: base64',
    '',
    'JVBERi0x',
    '--=_b--',
    '',
  ]
  return {
    kind: 'email',
    feature: `text and attachment, ${language.code}`,
    name: 'message.eml',
    bytes: Buffer.from(lines.join('\r\n')),
    blocks: [
      `From: ${sender} <from@example.org> To: ${receiver} <to@example.org>`,
      `Date: Mon, 06 May 2024 07:08:09 +0200 Subject: ${title}`,
      ...blocks,
      `Attachments: ${title}.pdf (application/pdf, 6 bytes)`,
    ],
    ordered: blocks,
  }
}

/** HTML alone, in quoted-printable and an old encoding, with a table, a list and what is not shown. */
function newsletter({ title, sections, items, table }: Story): Sample {
  const [section] = sections
  const paragraphs = section?.paragraphs ?? []
  const rows = table.slice(0, 4)
  const html =
    `<html><head><style>p { color: red }</style><title>x</title></head><body><h1>${section?.heading}</h1>` +
    `${paragraphs.map((text) => `<p>${text}</p>`).join('')}<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>` +
    `<table>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table></body></html>`
  const printable = Array.from(html.replaceAll('€', '&euro;'), (letter) => {
    const code = letter.charCodeAt(0)
    return code > 126 || letter === '=' ? `=${code.toString(16).toUpperCase().padStart(2, '0')}` : letter
  })
  const lines = [
    'From: Ana <ana@example.org>',
    `Subject: ${encodedWord(title)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    broken(printable).join('=\r\n'),
    '',
  ]
  return {
    kind: 'email',
    feature: 'HTML in Latin-1',
    name: 'news.eml',
    bytes: Buffer.from(lines.join('\r\n'), 'latin1'),
    blocks: [
      `From: Ana <ana@example.org> Subject: ${title}`,
      section?.heading ?? '',
      ...paragraphs,
      ...items,
      ...rows.flat(),
    ],
    ordered: paragraphs,
    tables: [{ rows }],
    marks: [
      { kind: 'headings', text: section?.heading ?? '' },
      ...items.map((text): Mark => ({ kind: 'list items', text })),
    ],
  }
}

/** Lines of at most 75 characters; what stands for one byte is not parted. */
function broken(pieces: string[]): string[] {
  const lines = ['']
  for (const piece of pieces) {
    const last = lines.length - 1
    if ((lines[last] ?? '').length + piece.length <= 75) lines[last] += piece
    else lines.push(piece)
  }
  return lines
}

/** As older programs in Japan write: ISO-2022-JP, and the text once more in HTML, which is not shown twice. */
function japanese({ title, sections }: Story): Sample {
  const euc = encoderOf('euc-jp')
  const shift = (text: string): number[] => {
    const bytes: number[] = []
    let isWide = false
    for (const letter of text) {
      const [first = 63, second] = euc(letter) ?? []
      if (isWide !== (second !== undefined)) bytes.push(0x1b, ...(isWide ? [0x28, 0x42] : [0x24, 0x42]))
      isWide = second !== undefined
      bytes.push(...(second === undefined ? [first] : [first - 0x80, second - 0x80]))
    }
    return isWide ? [...bytes, 0x1b, 0x28, 0x42] : bytes
  }
  const blocks = (sections[0]?.paragraphs ?? []).map((text) =>
    [...text].filter((letter) => [1, 2].includes(euc(letter)?.length ?? 0)).join(''),
  )
  const subject = Buffer.from(shift(title)).toString('base64')
  const part = (type: string, text: string): Uint8Array =>
    Buffer.concat([
      Buffer.from(`--b\r\nContent-Type: ${type}; charset=iso-2022-jp\r\nContent-Transfer-Encoding: 7bit\r\n\r\n`),
      Buffer.from(shift(text)),
      Buffer.from('\r\n'),
    ])
  const head = `From: a@example.org\r\nSubject: =?ISO-2022-JP?B?${subject}?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n`
  const bytes = Buffer.concat([
    Buffer.from(head),
    part('text/plain', blocks.join('\r\n\r\n')),
    part('text/html', blocks.map((text) => `<p>${text}</p>`).join('\r\n')),
    Buffer.from('--b--\r\n'),
  ])
  return {
    kind: 'email',
    feature: 'ISO-2022-JP, text and HTML',
    name: 'ja.eml',
    bytes,
    blocks: [`From: a@example.org Subject: ${title}`, ...blocks],
    ordered: blocks,
  }
}
