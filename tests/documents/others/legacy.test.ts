import officeCrypto from 'officecrypto-tool'
import { expect, test } from 'vitest'
import { parseFile } from '../../../src/kit/documents/parse-file.ts'
import { workbook } from '../xlsx/make.ts'
import { ole, parse } from './make.ts'

const secret = officeCrypto.encrypt(await workbook((made) => made.addWorksheet('S').addRow(['hidden words'])), {
  password: 'sesame',
})

test('a protected workbook is read with its password, which is asked for if missing', async () => {
  const { kind, parts } = await parse(parseFile, secret, 'a.xlsx', 'sesame')
  expect(kind).toBe('xlsx')
  expect(parts[0]?.text).toContain('hidden words')
  await expect(parse(parseFile, secret, 'a.xlsx')).rejects.toMatchObject({ code: 'password_needed' })
  await expect(parse(parseFile, secret, 'a.xlsx', 'wrong')).rejects.toMatchObject({ code: 'password_wrong' })
})

test.each([
  ['Something', 'old Windows program', 'another format'],
  ['EncryptedPackage', 'protected by rights management', 'without that protection'],
  ['\tDRMContent', 'protected by rights management', 'without that protection'],
])('a container with %j is named', async (stream, what, remedy) => {
  for (const password of [undefined, 'sesame'])
    await expect(parse(parseFile, ole(stream), 'a', password)).rejects.toMatchObject({
      code: 'not_readable',
      message: expect.stringContaining(what),
      remedy: expect.stringContaining(remedy),
    })
})

test('a container that runs in circles, is cut, or lies about its text is damaged', async () => {
  await expect(parse(parseFile, ole('WordDocument', 2))).rejects.toMatchObject({ code: 'damaged' })
  await expect(parse(parseFile, ole('WordDocument'))).rejects.toMatchObject({ code: 'damaged' })
  for (const end of [8, 400, 512, 600, 1200]) {
    await expect(parse(parseFile, secret.subarray(0, end), 'a', 'sesame')).rejects.toMatchObject({ code: 'damaged' })
  }
})
