import { deflateSync } from 'node:zlib'
import { encryptionOf, fileId, type Protection } from './encrypt.ts'

/**
 * `latin` and `bold` are standard fonts. `gb` and `jis` are fonts for Chinese and Japanese that are not in the file: their
 * codes mean something only by tables that a reader brings along. `any` carries its own table, for every script; what it
 * shows stands in the order in which it is seen, from left to right, and U+E000 is lam and alef in one sign. `down` is Japanese written from top to bottom.
 * `mute` doesn't say which characters its codes are.
 */
export type Font = 'latin' | 'bold' | 'mono' | 'gb' | 'jis' | 'down' | 'any' | 'mute'

/** Text at a place: points from the left and from the top of the page. */
export interface Text {
  x: number
  y: number
  text: string
  size?: number
  font?: Font
  /** Degrees, against the clock. */
  turn?: number
}

export interface Page {
  texts: Text[]
  width?: number
  height?: number
  /** As the page says, in degrees, with the clock. */
  rotate?: number
  /** Dictionaries, without their brackets. */
  annotations?: string[]
  /** Raw operators instead of texts. */
  content?: string
}

export interface Plan {
  pages: Page[]
  title?: string
  author?: string
  outline?: { title: string; page: number; items?: { title: string; page: number }[] }[]
  /** The value of `/PageLabels`. */
  labels?: string
  protection?: Protection
  isPacked?: boolean
}

const pageHeight = 842

/** A string of a dictionary, encrypted later if need be. */
export const string = (text: string): string => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
  return `{{${bytes.toString('hex')}}}`
}

/** A PDF file. */
export function makePdf(plan: Plan): Uint8Array {
  const file = new Objects()
  const fonts = addFonts(file)
  const pages = plan.pages.map(() => file.reserve())
  const root = file.reserve()
  const tree = file.reserve()
  for (const [index, page] of plan.pages.entries()) {
    const number = pages[index] ?? 0
    const content = file.add('<<>>', Buffer.from(page.content ?? contentOf(page), 'latin1'))
    const notes = (page.annotations ?? []).map((dictionary) => `${file.add(`<< /Type /Annot ${dictionary} >>`)} 0 R`)
    const box = `[0 0 ${page.width ?? 595} ${page.height ?? pageHeight}]`
    const annots = notes.length > 0 ? `/Annots [${notes.join(' ')}]` : ''
    file.set(
      number,
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox ${box} /Rotate ${page.rotate ?? 0} /Contents ${content} 0 R ${annots} ` +
        `/Resources << /Font << ${fonts} >> >> >>`,
    )
  }
  file.set(tree, `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] >>`)
  const labels = plan.labels === undefined ? '' : `/PageLabels ${plan.labels}`
  const outlines = plan.outline === undefined ? '' : `/Outlines ${addOutline(file, plan.outline, pages)} 0 R`
  file.set(root, `<< /Type /Catalog /Pages ${tree} 0 R ${labels} ${outlines} >>`)
  const info = file.add(`<< /Title ${string(plan.title ?? '')} /Author ${string(plan.author ?? '')} >>`)
  return file.write(root, info, plan)
}

class Objects {
  readonly #objects: { dictionary: string; stream?: Buffer }[] = []

  reserve(): number {
    return this.#objects.push({ dictionary: 'null' })
  }

  set(number: number, dictionary: string): void {
    this.#objects[number - 1] = { dictionary }
  }

  add(dictionary: string, stream?: Buffer): number {
    return this.#objects.push(stream === undefined ? { dictionary } : { dictionary, stream })
  }

  write(root: number, info: number, { protection, isPacked = false }: Plan): Uint8Array {
    const encryption = protection === undefined ? undefined : encryptionOf(protection)
    const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
    const offsets: number[] = []
    let length = pieces[0]?.length ?? 0
    const put = (piece: Buffer) => {
      pieces.push(piece)
      length += piece.length
    }
    for (const [index, { dictionary, stream }] of this.#objects.entries()) {
      const encrypted = (data: Buffer) => encryption?.encrypt(data, index + 1) ?? data
      const plain = dictionary.replace(
        /\{\{(.*?)\}\}/g,
        (_, digits) => `<${encrypted(Buffer.from(digits, 'hex')).toString('hex')}>`,
      )
      offsets.push(length)
      if (stream === undefined) put(Buffer.from(`${index + 1} 0 obj\n${plain}\nendobj\n`, 'latin1'))
      else {
        const data = encrypted(isPacked ? deflateSync(stream) : stream)
        const head = plain.replace('<<', `<< /Length ${data.length} ${isPacked ? '/Filter /FlateDecode' : ''} `)
        put(Buffer.from(`${index + 1} 0 obj\n${head}\nstream\n`, 'latin1'))
        put(data)
        put(Buffer.from('\nendstream\nendobj\n'))
      }
    }
    const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
    const start = length
    const id = `<${fileId.toString('hex')}>`
    const encrypt = encryption === undefined ? '' : `/Encrypt ${encryption.dictionary}`
    put(Buffer.from(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${table}`))
    put(
      Buffer.from(
        `trailer\n<< /Size ${offsets.length + 1} /Root ${root} 0 R /Info ${info} 0 R /ID [${id} ${id}] ${encrypt} >>\n`,
      ),
    )
    put(Buffer.from(`startxref\n${start}\n%%EOF\n`))
    return new Uint8Array(Buffer.concat(pieces))
  }
}

function addFonts(file: Objects): string {
  const standard = (name: string) =>
    `${file.add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`)} 0 R`
  const composite = (name: string, encoding: string, system: string, more = '', width = 1000) => {
    const descriptor = file.add(
      `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>`,
    )
    const descendant = file.add(
      `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${name} /CIDSystemInfo << ${system} >> /DW ${width} /FontDescriptor ${descriptor} 0 R >>`,
    )
    return `${file.add(`<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /${encoding} /DescendantFonts [${descendant} 0 R] ${more} >>`)} 0 R`
  }
  const adobe = (ordering: string) => `/Registry (Adobe) /Ordering (${ordering}) /Supplement 4`
  const table = file.add(
    '<<>>',
    Buffer.from(
      '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Any def /CMapType 2 def\n' +
        '1 begincodespacerange <0000> <ffff> endcodespacerange\n' +
        `100 beginbfrange ${Array.from({ length: 256 }, (_, row) => `<${byte(row)}00> <${byte(row)}ff> <${byte(row)}00>`).join('\n')} endbfrange\n` +
        '1 beginbfchar <e000> <06440627> endbfchar\n' +
        'endcmap CMapName currentdict /CMap defineresource pop end end',
    ),
  )
  return [
    `/latin ${standard('Helvetica')} /bold ${standard('Helvetica-Bold')} /mono ${standard('Courier')}`,
    `/gb ${composite('STSong-Light', 'UniGB-UCS2-H', adobe('GB1'))}`,
    `/jis ${composite('HeiseiMin-W3', 'UniJIS-UCS2-H', adobe('Japan1'))}`,
    `/down ${composite('HeiseiMin-W3', 'UniJIS-UCS2-V', adobe('Japan1'))}`,
    `/mute ${composite('Mute', 'Identity-H', adobe('Identity'), '', 550)}`,
    `/any ${composite('Any', 'Identity-H', adobe('Identity'), `/ToUnicode ${table} 0 R`, 550)}`,
  ].join(' ')
}

const byte = (value: number): string => value.toString(16).padStart(2, '0')

const isStandard = (font: Font): boolean => font === 'latin' || font === 'bold' || font === 'mono'

/** What WinAnsi has elsewhere than Latin-1. */
const winAnsi = new Map([
  ['•', '\x95'],
  ['–', '\x96'],
  ['—', '\x97'],
  ['“', '\x93'],
  ['”', '\x94'],
  ['’', '\x92'],
  ['€', '\x80'],
])

function contentOf(page: Page): string {
  const height = page.height ?? pageHeight
  return page.texts
    .map(({ x, y, text, size = 10, font = 'latin', turn = 0 }) => {
      const shown = isStandard(font)
        ? `(${text.replace(/[•–—“”’€]/g, (character) => winAnsi.get(character) ?? '').replace(/[\\()]/g, '\\$&')})`
        : `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
      const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)].map((value) =>
        value.toFixed(6),
      )
      return `BT /${font} ${size} Tf ${cos} ${sin} ${-Number(sin)} ${cos} ${x} ${height - y} Tm ${shown} Tj ET`
    })
    .join('\n')
}

function addOutline(file: Objects, entries: NonNullable<Plan['outline']>, pages: number[]): number {
  const root = file.reserve()
  const children = (parent: number, items: NonNullable<Plan['outline']>): string => {
    const numbers = items.map(() => file.reserve())
    for (const [index, { title, page, items: below }] of items.entries()) {
      const number = numbers[index] ?? 0
      const previous = index > 0 ? `/Prev ${numbers[index - 1]} 0 R` : ''
      const next = index + 1 < numbers.length ? `/Next ${numbers[index + 1]} 0 R` : ''
      const inner = below === undefined ? '' : children(number, below)
      const target = `/Dest [${pages[page - 1]} 0 R /Fit]`
      file.set(number, `<< /Title ${string(title)} /Parent ${parent} 0 R ${previous} ${next} ${target} ${inner} >>`)
    }
    return `/First ${numbers[0]} 0 R /Last ${numbers.at(-1)} 0 R /Count ${numbers.length}`
  }
  file.set(root, `<< /Type /Outlines ${children(root, entries)} >>`)
  return root
}
