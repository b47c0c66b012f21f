import bidiFactory from 'bidi-js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inReadingOrder } from '../../../src/kit/documents/parsers/pdf/direction.ts'
import { textOf } from './parse.ts'

// Its types describe a default export that Node gives as it is.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()

/** A line as it is seen from left to right. */
const seen = (text: string, direction: 'ltr' | 'rtl'): string =>
  bidi.getReorderedString(text, bidi.getEmbeddingLevels(text, direction))

/** What one program draws as a line, another draws character by character from the right. */
const whole = (text: string) => [{ x: 50, y: 100, font: 'any' as const, text }]
const single = (text: string) =>
  [...text].map((one, index) => ({ x: 50 + index * 5.5, y: 100, font: 'any' as const, text: one })).reverse()

test.each([
  'تاریخ نامه 1403/09/19 و شماره ۱۴۰۳/۰۹/۱۹ است.',
  'نسبة الخصم 50 % والسعر 47.500 دينار لا غير.',
  'الخصم 50% والمبلغ ٤٧٫٥٠٠ والأجل 2024-05-01 تقريبا (نحو 12.5 كم).',
  'يستخدم Windows 11 مع ISO 9001:2015 ورقم +966 11 234 5678 اليوم.',
  'المادة 3-1: العقد (Contract) رقم UE-1501/8 [ملغى].',
  'תאריך 19/09/2024 שעה 10:30 מחיר 1,250.00 ₪ הנחה 15% (כולל).',
])('a line from right to left is read as it was written: %s', async (line) => {
  expect(await textOf(whole(seen(line, 'rtl')))).toBe(line)
  expect(await textOf(single(seen(line, 'rtl')))).toBe(line)
})

test('brackets that the file names as they were written, and not as they are seen', async () => {
  const line = 'الخصم (نحو 12.5%) من العقد [ملغى] و«السعر» (API) تقريبا'
  const order = bidi.getReorderedIndices(line, bidi.getEmbeddingLevels(line, 'rtl'))
  const drawn = order.map((at: number) => line[at] ?? '').join('')
  expect(drawn).not.toBe(seen(line, 'rtl'))
  expect(await textOf(whole(drawn))).toBe(line)
  expect(await textOf(whole(seen(line, 'rtl')))).toBe(line)
})

test('lines from right to left that begin at the left end where they end', async () => {
  const written = ['السعر الجديد', 'شروط', 'نسبة الخصم من المبلغ الكلي في العقد']
  const drawn = written.map((line, index) => ({
    x: 50,
    y: 100 + index * 14,
    font: 'any' as const,
    text: seen(line, 'rtl'),
  }))
  expect(await textOf(drawn)).toBe(written.join('\n'))
})

test('words from right to left in a line of Latin letters', async () => {
  const line = 'The term الخصم means a discount, and מבח is a mix of 12 words; see שלום עולם.'
  expect(await textOf(whole(seen(line, 'ltr')))).toBe(line)
  expect(await textOf(single(seen(line, 'ltr')))).toBe(line)
})

test('letters that are drawn as one sign keep their order', async () => {
  const line = 'الأسعار لا تشمل الإسلام 50'
  const drawn = seen(line, 'rtl').replaceAll('ال', '\ue000')
  expect(drawn).toContain('\ue000')
  expect(await textOf(whole(drawn))).toBe(line)
  expect(await textOf(single(drawn))).toBe(line)
})

test('what is read looks again as it was seen, whatever is mixed', () => {
  const words = fc.constantFrom(
    'אבג',
    'سلام',
    'عقد',
    'word',
    'Ltd',
    '12',
    '3.5',
    '١٢',
    '2024/05/01',
    '%',
    '-',
    ',',
    ':',
  )
  fc.assert(
    fc.property(fc.array(words, { minLength: 2, maxLength: 7 }), fc.constantFrom('ltr', 'rtl'), (list, direction) => {
      const shown = seen(list.join(' '), direction)
      const read = inReadingOrder([...shown], direction === 'rtl').map(({ text }) => text)
      expect(seen(read.join(''), direction)).toBe(shown)
    }),
    { numRuns: 300, seed: 17 },
  )
})
