import { deflateSync } from 'node:zlib'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { parseFile } from '../../../src/kit/documents/parse-file.ts'
import { pictureOf } from '../../../src/kit/documents/pictures/draw.ts'
import { Failure } from '../../../src/kit/failure.ts'
import { limits, parse } from '../others/make.ts'
import { grey, type TiffField, tiff } from './make-tiff.ts'

const [width, height] = [64, 32]

/** How dark the left and the right half of a page are, from 0 to 1. */
async function halves(file: Uint8Array, page = 1): Promise<[number, number]> {
  const image = await loadImage(Buffer.from(await pictureOf(file, { page, mostPixels: 100_000 })))
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const darkIn = (left: number): number => {
    const { data } = context.getImageData(left, 0, Math.floor(image.width / 2), image.height)
    let light = 0
    for (let at = 0; at < data.length; at += 4) light += data[at] ?? 0
    return 1 - light / 255 / (data.length / 4)
  }
  return [darkIn(0), darkIn(Math.ceil(image.width / 2))]
}

const leftIsDark = [expect.closeTo(1, 1), expect.closeTo(0, 1)]
const rightIsDark = [expect.closeTo(0, 1), expect.closeTo(1, 1)]

/** Left black, right white, as grey bytes. */
const pixels = Buffer.from(Array.from({ length: width * height }, (_, index) => (index % width < width / 2 ? 0 : 255)))

const changed = (page: TiffField[], ...changes: TiffField[]): TiffField[] => [
  ...page.filter(([field]) => !changes.some(([one]) => one === field)),
  ...changes,
]

/** The same picture in black and white, as libtiff's tiffcp packs it. */
const packed = {
  'fax, group 4':
    'SUkqABoAAAAmoNX///////////////gAgAgLAAABAwABAAAAQAAAAAEBAwABAAAAIAAAAAIBAwABAAAAAQAAAAMBAwABAAAABAAAAAYBAwABAAAAAAAAABEBBAABAAAACAAAABIBAwABAAAAAQAAABUBAwABAAAAAQAAABYBAwABAAAAIAAAABcBBAABAAAAEgAAABwBAwABAAAAAQAAAAAAAAA=',
  LZW: 'SUkqAEgAAACAP+BP8AQUAQOCQaEQaDwOGQuFQ6IwKHxKCxCLxaGxSJwmMxyPx6NyKMSOKyCTR2TySNSWXS2YSiXzKYyyUQEACwAAAQMAAQAAAEAAAAABAQMAAQAAACAAAAACAQMAAQAAAAEAAAADAQMAAQAAAAUAAAAGAQMAAQAAAAAAAAARAQQAAQAAAAgAAAASAQMAAQAAAAEAAAAVAQMAAQAAAAEAAAAWAQMAAQAAACAAAAAXAQQAAQAAAD8AAAAcAQMAAQAAAAEAAAAAAAAA',
  PackBits:
    'SUkqAIgAAAD9//0A/f/9AP3//QD9//0A/f/9AP3//QD9//0A/f/9AP3//QD9//0A/f/9AP3//QD9//0A/f/9AP3//QD9//0A/f/9AP3//QD9//0A/f/9AP3//QD9//0A/f/9AP3//QD9//0A/f/9AP3//QD9//0A/f/9AP3//QD9//0A/f/9AAsAAAEDAAEAAABAAAAAAQEDAAEAAAAgAAAAAgEDAAEAAAABAAAAAwEDAAEAAAAFgAAABgEDAAEAAAAAAAAAEQEEAAEAAAAIAAAAEgEDAAEAAAABAAAAFQEDAAEAAAABAAAAFgEDAAEAAAAgAAAAFwEEAAEAAACAAAAAHAEDAAEAAAABAAAAAAAAAA==',
}

test.each(Object.entries(packed))('a page in black and white is drawn: %s', async (_, base64) => {
  expect(await halves(Buffer.from(base64, 'base64'))).toEqual(leftIsDark)
})

test('pages are drawn as they are stored: in either byte order, packed, inverted, coloured, in tiles', async () => {
  const plain = grey(width, height)
  expect(await halves(tiff(pixels, [plain]))).toEqual(leftIsDark)
  expect(await halves(tiff(pixels, [plain], { isLittle: false }))).toEqual(leftIsDark)
  expect(await halves(tiff(pixels, [changed(plain, [262, [0]])]))).toEqual(rightIsDark)
  expect(await halves(tiff(pixels, [changed(plain, [274, [3]])]))).toEqual(rightIsDark)
  const deflated = deflateSync(pixels)
  expect(await halves(tiff(deflated, [changed(plain, [259, [8]], [279, [deflated.length]])]))).toEqual(leftIsDark)
  const colours = Array.from({ length: 768 }, (_, index) => (index % 256 === 255 ? 0 : 0xffff))
  expect(await halves(tiff(pixels, [changed(plain, [262, [3]], [320, colours])]))).toEqual(rightIsDark)
  const tile = Buffer.concat([Buffer.alloc(32 * 32, 0), Buffer.alloc(32 * 32, 255)])
  const tiled = changed(
    plain.filter(([field]) => ![273, 278, 279].includes(field)),
    ...([
      [322, [32]],
      [323, [32]],
      [324, [8, 8 + 1024]],
      [325, [1024, 1024]],
    ] as TiffField[]),
  )
  expect(await halves(tiff(tile, [tiled]))).toEqual(leftIsDark)
})

test('each page is one of its own, and a preview is none', async () => {
  const second = changed(grey(width, height), [262, [0]])
  const file = tiff(pixels, [grey(width, height), changed(grey(width, height), [254, [1]]), second])
  const { kind, notes, parts } = await parse(parseFile, file, 'scan.tif')
  expect([kind, notes]).toEqual(['pdf', ['A TIFF with 2 pages, which are pictures.']])
  expect(parts.map(({ unit, number, text }) => [unit, number, text])).toEqual([
    ['page', 1, ''],
    ['page', 2, ''],
  ])
  expect(await halves(file, 1)).toEqual(leftIsDark)
  expect(await halves(file, 2)).toEqual(rightIsDark)
  await expect(halves(file, 3)).rejects.toMatchObject({ code: 'damaged' })
})

test.each([
  ['pages in a circle', tiff(pixels, [grey(width, height), grey(width, height)], { circle: true }), 'damaged'],
  ['an enormous size', tiff(pixels, [grey(60_000, 60_000)]), 'too_complex'],
  [
    'strips that are the same, many times',
    tiff(pixels, [
      changed(grey(width, height), [278, [1]], [273, new Array(32).fill(8)], [279, new Array(32).fill(2048)]),
    ]),
    'damaged',
  ],
  ['a strip behind its end', tiff(pixels, [changed(grey(width, height), [273, [9_000_000]])]), 'damaged'],
  ['no strips', tiff(pixels, [grey(width, height).filter(([field]) => field !== 273)]), 'damaged'],
  ['an unknown packing', tiff(pixels, [changed(grey(width, height), [259, [34_712]])]), 'not_readable'],
  ['sixteen bits for each colour', tiff(pixels, [changed(grey(width, height), [258, [16]])]), 'not_readable'],
])('a TIFF with %s is refused', async (_, file, code) => {
  await expect(halves(file)).rejects.toMatchObject({ code })
})

test('one that is cut is refused, or read as far as it goes; lies about counts do no harm', async () => {
  const file = Buffer.from(packed['fax, group 4'], 'base64')
  for (let end = 4; end < file.length; end += 7) {
    await halves(file.subarray(0, end)).catch((thrown) => expect(thrown).toBeInstanceOf(Failure))
  }
  for (let at = 26; at + 4 <= file.length; at += 2) {
    const lying = Buffer.from(file)
    lying.writeUInt32LE(0xfffffff0, at)
    await halves(lying).catch((thrown) => expect(thrown).toBeInstanceOf(Failure))
  }
})

test('pages that were lost with the end of the file are mentioned', async () => {
  const file = tiff(pixels, [grey(width, height), grey(width, height), grey(width, height)])
  const { notes, parts } = await parse(parseFile, file.subarray(0, -60), 'scan.tif')
  expect(parts).toHaveLength(2)
  expect(notes).toEqual([
    'A TIFF with 2 pages, which are pictures.',
    'It ends in the middle: what followed was left out.',
  ])
})

test('a HEIC photo is refused with a remedy', async () => {
  const photo = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(100)])
  await expect(parseFile({ name: 'IMG_1.HEIC', bytes: photo }, limits)).rejects.toMatchObject({
    code: 'not_readable',
    message: expect.stringContaining('HEIC'),
    remedy: expect.stringContaining('JPEG or PDF'),
  })
})
