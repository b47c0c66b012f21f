import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { builtinSections } from '../../src/wiring/capabilities.ts'

/** With a models.yaml of the team's own. */
async function load(models: string, environment: Record<string, string>) {
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-config-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await writeFile(join(directory, 'models.yaml'), models)
  return loadConfig({ BOBBIN_CONFIG_DIR: directory, ...environment }, directory, builtinSections)
}

async function complaintsOf(models: string, environment: Record<string, string>) {
  const loaded = await load(models, environment)
  if (!('complaints' in loaded)) throw new Error('there is nothing to complain about')
  return loaded.complaints
}

async function configOf(models: string, environment: Record<string, string>) {
  const loaded = await load(models, environment)
  if (!('config' in loaded)) throw new Error(JSON.stringify(loaded))
  return loaded.config
}

describe('the model for images', () => {
  const base = { MODEL_BASE_API_KEY: 'k', MODEL_BASE_BASE_URL: 'http://localhost:1/v1', MODEL_BASE_ID: 'm' }

  test.each(['MODEL_VISION', 'MODEL_MULTIMODAL'])('%s is a model of its own for images', async (name) => {
    const own = {
      [`${name}_API_KEY`]: 'v',
      [`${name}_BASE_URL`]: 'http://localhost:2/v1',
      [`${name}_ID`]: 'gpt-4o-mini',
    }
    const { model } = await configOf('', { ...base, ...own })
    expect(model.base?.id).toBe('m')
    expect(model.vision).toMatchObject({ id: 'gpt-4o-mini', baseUrl: 'http://localhost:2/v1', apiKey: 'v' })
    expect(model.vision).toMatchObject({ outputLimit: 16_384, price: { input: 0.15 } })
  })

  test('for images, an id alone is at the endpoint of base; half an endpoint of its own takes nothing from it', async () => {
    const vision = async (own: Record<string, string>) =>
      (await configOf('', { ...base, MODEL_VISION_ID: 'v', ...own })).model.vision
    expect(await vision({})).toMatchObject({ id: 'v', baseUrl: base.MODEL_BASE_BASE_URL, apiKey: 'k' })
    expect(await vision({ MODEL_VISION_BASE_URL: 'http://localhost:2/v1' })).toMatchObject({ apiKey: '' })
    expect(await vision({ MODEL_VISION_API_KEY: 'v' })).toMatchObject({ baseUrl: 'https://api.openai.com/v1' })
  })

  test('for images, the environment overrides the file, value by value', async () => {
    const models = 'slots: { vision: { id: written, base_url: "http://localhost:3", api_key: w } }'
    expect((await configOf(models, base)).model.vision).toMatchObject({ id: 'written', apiKey: 'w' })
    const { model } = await configOf(models, { ...base, MODEL_MULTIMODAL_ID: 'set' })
    expect(model.vision).toMatchObject({ id: 'set', baseUrl: 'http://localhost:3', apiKey: 'w' })
  })

  test.each([
    ['one that is known to see', '', 'gpt-4o', true],
    ['one that is known not to', '', 'deepseek-chat', false],
    ['one that nobody knows', '', 'm', false],
    ['one that is said to see', 'slots: { base: { sees: true } }', 'm', true],
    ['one that is said not to', 'slots: { base: { sees: false } }', 'gpt-4o', false],
  ])('without a model for images, they go to base, if it sees: %s', async (_, models, id, sees) => {
    const { model } = await configOf(models, { ...base, MODEL_BASE_ID: id })
    expect(model.vision).toBe(sees ? model.base : undefined)
  })

  test.each([
    ['a key alone', { MODEL_VISION_API_KEY: 'v' }, 'MODEL_VISION_ID is missing'],
    ['an address alone', { MODEL_MULTIMODAL_BASE_URL: 'http://localhost:1/v1' }, 'MODEL_VISION_ID is missing'],
    [
      'an address that is none',
      { MODEL_MULTIMODAL_BASE_URL: 'x', MODEL_VISION_ID: 'v' },
      'MODEL_MULTIMODAL_BASE_URL isn’t an http or https address',
    ],
  ])('half a model for images is told what is missing: %s', async (_, environment, message) => {
    const complaints = await complaintsOf('', { ...base, ...environment })
    expect(complaints).toMatchObject([{ file: 'environment', message }])
  })

  test('what is wrong with both models is reported at once', async () => {
    const complaints = await complaintsOf('', { MODEL_BASE_API_KEY: 'k', MODEL_VISION_API_KEY: 'v' })
    expect(complaints.map(({ message }) => message)).toEqual(['MODEL_BASE_ID is missing', 'MODEL_VISION_ID is missing'])
  })

  test('a missing key is reported where the file asks for it', async () => {
    const models = `slots:\n  vision:\n    id: v\n    api_key: "\${NO_SUCH_KEY}"\n`
    const complaints = await complaintsOf(models, base)
    expect(complaints).toMatchObject([{ line: 4, column: 14, message: 'NO_SUCH_KEY is not set' }])
  })
})
