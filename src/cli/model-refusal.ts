import type { Config } from '../config/config.ts'

/** Why the base model's endpoint will answer no turn, in a sentence, as far as that can be told without a turn. */
export async function modelRefusal({ model }: Pick<Config, 'model'>): Promise<string | undefined> {
  const { base, probeAtStart } = model
  if (base === undefined || !probeAtStart) return undefined
  const [{ probeModel }, { settingsOf }] = await Promise.all([
    import('../model/probe.ts'),
    import('../model/openai.ts'),
  ])
  return probeModel(base, settingsOf('base'))
}
