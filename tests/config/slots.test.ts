import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { figureFindings } from '../../src/doctor/model.ts'
import type { ModelSlot } from '../../src/kit/model/model.ts'
import { builtinSections } from '../../src/wiring/capabilities.ts'

const base = { MODEL_BASE_API_KEY: 'k', MODEL_BASE_BASE_URL: 'http://localhost:1/v1', MODEL_BASE_ID: 'm' }

async function load(environment: Record<string, string>, models = '') {
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-slots-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await writeFile(join(directory, 'models.yaml'), models)
  return loadConfig({ BOBBIN_CONFIG_DIR: directory, ...environment }, directory, builtinSections)
}

async function modelsOf(environment: Record<string, string>, models = '') {
  const loaded = await load(environment, models)
  if (!('config' in loaded)) throw new Error(JSON.stringify(loaded))
  return loaded.config.model
}

describe('slots', () => {
  test.each(['reasoning', 'vision', 'code', 'chat'] as const)(
    '%s has its own variables and file section',
    async (name) => {
      const prefix = `MODEL_${name.toUpperCase()}`
      expect((await modelsOf({ ...base, [`${prefix}_ID`]: 'other' }))[name]).toMatchObject({ id: 'other', apiKey: 'k' })
      expect((await modelsOf(base, `slots: { ${name}: { id: written, context: 5 } }`))[name]).toMatchObject({
        id: 'written',
        contextLimit: 5,
        outputLimit: 4_096,
      })
      expect((await modelsOf(base))[name]).toBeUndefined()
    },
  )

  test('the embedding slot has its own variables and file section', async () => {
    const { embedding } = await modelsOf({
      ...base,
      MODEL_EMBEDDING_ID: 'text-embedding-3-small',
      MODEL_EMBEDDING_DIMENSIONS: '512',
    })
    expect(embedding).toMatchObject({ apiKey: 'k', baseUrl: base.MODEL_BASE_BASE_URL, dimensions: 512 })
    expect(embedding?.price?.input).toBe(0.02)
    expect((await modelsOf(base, 'slots: { embedding: { id: v, dimensions: 64 } }')).embedding?.dimensions).toBe(64)
    expect((await modelsOf(base)).embedding).toBeUndefined()
    const wrong = await load({ ...base, MODEL_EMBEDDING_ID: 'v', MODEL_EMBEDDING_DIMENSIONS: '1.5' })
    const message = 'MODEL_EMBEDDING_DIMENSIONS isn’t a whole number from 1 to 8192'
    expect(wrong).toMatchObject({ complaints: [{ message }] })
  })

  test('the environment overrides limits, temperature and price', async () => {
    const figures = { CONTEXT: '1000', OUTPUT: '10', TEMPERATURE: '0', PRICE_INPUT: '2', PRICE_OUTPUT: '8' }
    const own = Object.fromEntries(Object.entries(figures).map(([name, value]) => [`MODEL_BASE_${name}`, value]))
    const { base: slot } = await modelsOf({ ...base, MODEL_BASE_ID: 'gpt-4o', ...own, MODEL_BASE_PRICE_CACHED: '0.5' })
    expect(slot).toMatchObject({ contextLimit: 1_000, outputLimit: 10, temperature: 0 })
    expect(slot?.price).toEqual({ input: 2, output: 8, cached: 0.5 })
    const { base: unlisted } = await modelsOf({ ...base, MODEL_BASE_PRICE_INPUT: '1' })
    expect(unlisted?.price).toEqual({ input: 1, output: 0 })
  })

  test('a cached price of the catalogue does not stand beside an input price of another', async () => {
    const { base: slot } = await modelsOf({ ...base, MODEL_BASE_ID: 'gpt-4o', MODEL_BASE_PRICE_INPUT: '0' })
    expect(slot?.price).toEqual({ input: 0, output: 10 })
    const { base: other } = await modelsOf({ ...base, MODEL_BASE_ID: 'gpt-4o', MODEL_BASE_PRICE_OUTPUT: '1' })
    expect(other?.price).toEqual({ input: 2.5, cached: 1.25, output: 1 })
  })

  test.each([
    ['MODEL_BASE_PRICE_INPUT', 'cheap', 'number from 0 to 1000000'],
    ['MODEL_BASE_PRICE_OUTPUT', '-1', 'number from 0 to 1000000'],
    ['MODEL_BASE_CONTEXT', '1.5', 'number of tokens'],
    ['MODEL_BASE_TEMPERATURE', '3', 'number from 0 to 2'],
  ])('%s cannot be %s', async (name, value, wanted) => {
    const message = `${name} isn’t a ${wanted}`
    expect(await load({ ...base, [name]: value })).toMatchObject({ complaints: [{ message }] })
  })
})

describe('the catalogue', () => {
  const figuresOf = async (id: string): Promise<ModelSlot | undefined> =>
    (await modelsOf({ ...base, MODEL_BASE_ID: id })).base

  test.each([
    ['gpt-4-turbo', 128_000, 4_096],
    ['gpt-4o', 128_000, 16_384],
    ['gemini-2.0-flash', 1_048_576, 8_192],
    ['gemini-1.5-pro', 2_097_152, 8_192],
    ['qwen-max', 32_000, 8_192],
    ['qwen-plus', 131_072, 8_192],
    ['deepseek-chat', 64_000, 8_192],
    ['claude-3-5-sonnet', 200_000, 8_192],
    ['gpt-5.5', 1_050_000, 128_000],
    ['claude-sonnet-4-5', 200_000, 64_000],
    ['nobody-knows', 128_000, 4_096],
  ])('%s has %i tokens of context and %i of output', async (id, contextLimit, outputLimit) => {
    expect(await figuresOf(id)).toMatchObject({ contextLimit, outputLimit })
  })

  test.each(['openai/gpt-4o', 'gpt-4o-2024-11-20', 'openrouter/openai/gpt-4o', 'gpt-4o:free'])(
    '%s is gpt-4o',
    async (id) => {
      expect(await figuresOf(id)).toMatchObject({ id, outputLimit: 16_384 })
    },
  )

  test('dots, dates and "latest" make no difference for Claude', async () => {
    for (const id of ['claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4.5', 'claude-3-5-sonnet-latest'])
      expect((await figuresOf(id))?.price).toMatchObject({ input: 3, cached: 0.3, written: 3.75, output: 15 })
  })

  test('a team adds models, and changes only what differs of one that is known', async () => {
    const own = 'known: { gpt-4o: { price: { input: 9 } }, ours: { context: 7, output: 5 } }'
    const { base: changed, code: added } = await modelsOf(
      { ...base, MODEL_BASE_ID: 'gpt-4o', MODEL_CODE_ID: 'ours' },
      own,
    )
    expect(changed).toMatchObject({ outputLimit: 16_384, price: { input: 9, cached: 1.25, output: 10 } })
    expect(added).toMatchObject({ contextLimit: 7, outputLimit: 5 })
    const { complaints } = (await load(base, 'known:\n  ours: { context: 7 }')) as { complaints: unknown[] }
    expect(complaints).toMatchObject([{ line: 2, message: expect.stringContaining('known.ours.output') }])
  })

  test('what only begins like a listed model is not listed', async () => {
    expect(await figuresOf('gpt-4o-audio')).toMatchObject({ assumed: true })
    expect(await figuresOf('constructor')).toMatchObject({ assumed: true })
  })

  test('doctor says what is assumed of an unlisted model, and what would help', async () => {
    const unlisted = await figuresOf('nobody-knows')
    if (unlisted === undefined) throw new Error('no slot')
    expect([...figureFindings(unlisted, 'code', '2026-07-01')]).toMatchObject([
      {
        mark: 'mind',
        fact: expect.stringContaining('I assume 128,000 tokens of context and 4,096 of output'),
        remedy: [expect.stringContaining('MODEL_CODE_CONTEXT')],
      },
    ])
    const set = { ...base, MODEL_BASE_CONTEXT: '9', MODEL_BASE_OUTPUT: '3' }
    expect((await modelsOf(set)).base?.assumed).toBeUndefined()
    const listed = await figuresOf('gpt-4o')
    if (listed === undefined) throw new Error('no slot')
    expect([...figureFindings(listed, 'base', '2026-07-01')].map(({ mark, fact }) => `${mark} ${fact}`)).toEqual([
      'fine gpt-4o has 128,000 tokens of context and 16,384 of output, and can: vision, tools, streaming, json.',
      'fine A million tokens cost $2.50 in, $1.25 cached, $10.00 out (prices in config/known_models.json are of 2026-07-01).',
    ])
  })
})
