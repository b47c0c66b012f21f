import { Failure } from '../../kit/failure.ts'
import type { SkillScope } from '../../store/skills.ts'
import { matchBody } from './operations.ts'
import { skillsWords } from './words.ts'

/**
 * The channel that a request is about; without a project, all those of its tenant. Throws `bad_place` for half a place,
 * which mustn't become another one.
 */
export function placeIn(query: URLSearchParams): SkillScope {
  const [platform, tenant, project] = ['platform', 'tenant_id', 'project_id'].map((name) => query.get(name))
  const isHalf = [platform, tenant, project].includes('') || (platform === null) !== (tenant === null)
  if (isHalf) throw new Failure('bad_place', skillsWords.halfPlace(), skillsWords.placeRemedy())
  if (platform && tenant) return { platform, tenant, project: project ?? '' }
  return { platform: 'console', tenant: 'local', project: project ?? 'general' }
}

/** Throws `bad_scope`: a misspelt channel mustn't become the whole team. */
export function scopeIn(query: URLSearchParams, place: SkillScope): SkillScope {
  const scope = query.get('scope') ?? 'team'
  if (scope === 'channel' && place.project === '')
    throw new Failure('bad_place', skillsWords.scopeLacksChannel(), skillsWords.placeRemedy())
  if (scope === 'channel') return place
  if (scope === 'team') return { ...place, project: '' }
  throw new Failure('bad_scope', skillsWords.noSuchScope({ scope: JSON.stringify(scope) }), skillsWords.scopeRemedy())
}

/** The message that a request asks about. Throws `bad_message`. */
export async function messageIn(request: Request): Promise<string> {
  const { data } = matchBody.safeParse(await request.json().catch(() => undefined))
  if (data !== undefined) return data.message
  throw new Failure('bad_message', skillsWords.noMessage(), skillsWords.messageRemedy())
}
