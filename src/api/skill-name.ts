import type { ThreadRef } from '../domain/chat.ts'
import type { ApiDeps } from './deps.ts'
import { ApiError } from './errors.ts'
import { apiWords } from './words.ts'

/** Throws 409 if `@agent` means a skill there: the message would load it, and Bobbin itself would work on it. */
export async function checkIsNoSkill(
  agent: string,
  { platform, tenant, project }: ThreadRef,
  base: string,
  { routes }: Pick<ApiDeps, 'routes'>,
): Promise<void> {
  const query = new URLSearchParams({ platform, tenant_id: tenant, project_id: project })
  const asked = new Request(new URL(`/api/v1/skills/${encodeURIComponent(agent)}?${query}`, base))
  const found = await routes.get('skills')?.(asked)
  if (!found?.ok) return
  throw new ApiError(409, 'name_taken', apiWords.nameOfSkill({ agent, project }), apiWords.nameOfSkillRemedy())
}
