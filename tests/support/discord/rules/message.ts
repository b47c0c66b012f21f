import { ComponentType, MessageFlags } from 'discord-api-types/v10'
import { type FormProblem, problem } from '../rest/errors.ts'
import type { Component, Message, UploadedFile } from '../world/types.ts'
import { checkComponents, checkInteractive, lengthOf, type Placed, placed } from './components.ts'

/** The fields of a message body that rules look at. */
export interface MessageForm {
  content?: string | null
  embeds?: Embed[] | null
  components?: Component[] | null
  flags?: number | null
  attachments?: { id: string; filename?: string | null }[] | null
  allowed_mentions?: { parse?: string[] | null; users?: string[] | null; roles?: string[] | null } | null
  nonce?: string | number | null
  enforce_nonce?: boolean | null
  poll?: unknown
  sticker_ids?: unknown[] | null
}

interface Embed {
  title?: string | null
  description?: string | null
  footer?: { text?: string | null } | null
  author?: { name?: string | null } | null
  fields?: { name?: string | null; value?: string | null }[] | null
}

const maxContent = 2_000
const maxEmbedText = 6_000
const maxComponents = 40
const maxComponentText = 4_000
/**
 * Above this Discord answers 500, although the text is short enough in characters: bytes of UTF-8 and 12 for each text
 * display. Found by others, not documented: discord-api-docs issue 8554.
 */
const maxComponentBytes = 10_170

/** Rules for messages that the OpenAPI description can't express; `existing` is the message that an edit changes. */
export function checkMessage(form: MessageForm, files: Map<string, UploadedFile>, existing?: Message): FormProblem[] {
  const flags = (form.flags ?? 0) | (existing?.flags ?? 0)
  const all = placed(form.components ?? [])
  return [
    ...checkContent(form),
    ...checkEmbeds(form.embeds ?? []),
    ...checkAllowedMentions(form),
    ...checkAttachments(form, files, existing),
    ...checkComponents(all),
    ...all.flatMap(checkInteractive),
    ...(flags & MessageFlags.IsComponentsV2 ? checkV2(form, all, existing) : checkV1(form)),
    ...checkMedia(all, form, files, existing),
  ]
}

function checkContent({ content }: MessageForm): FormProblem[] {
  if (content == null || lengthOf(content) <= maxContent) return []
  return [problem(['content'], 'BASE_TYPE_MAX_LENGTH', `Must be ${maxContent} or fewer in length.`)]
}

function checkEmbeds(embeds: Embed[]): FormProblem[] {
  const texts = embeds.flatMap(({ title, description, footer, author, fields }) => [
    title,
    description,
    footer?.text,
    author?.name,
    ...(fields ?? []).flatMap(({ name, value }) => [name, value]),
  ])
  const total = texts.reduce((sum, text) => sum + lengthOf(text ?? ''), 0)
  if (total <= maxEmbedText) return []
  return [problem(['embeds'], 'MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${maxEmbedText}`)]
}

function checkAllowedMentions({ allowed_mentions: allowed }: MessageForm): FormProblem[] {
  return (['users', 'roles'] as const).flatMap((kind) => {
    if (!allowed?.parse?.includes(kind) || !allowed[kind]?.length) return []
    const message = `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`
    return [problem(['allowed_mentions'], 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', message)]
  })
}

/** Each entry is a file of this request, or one that the message already has. */
function checkAttachments(
  { attachments }: MessageForm,
  files: Map<string, UploadedFile>,
  existing?: Message,
): FormProblem[] {
  const kept = existing?.attachments.map(({ id }) => id) ?? []
  const total = files.size + (attachments ?? []).filter(({ id }) => kept.includes(String(id))).length
  return [
    ...(total > 10 ? [problem(['attachments'], 'BASE_TYPE_BAD_LENGTH', 'Must be 10 or fewer in length.')] : []),
    ...(attachments ?? []).flatMap(({ id }, index) => {
      if (files.has(String(id)) || kept.includes(String(id))) return []
      return [problem(['attachments', index, 'id'], 'ATTACHMENT_NOT_FOUND', 'There is no such file')]
    }),
  ]
}

function checkV1({ components }: MessageForm): FormProblem[] {
  const rows = components ?? []
  return [
    ...(rows.length > 5 ? [problem(['components'], 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.')] : []),
    ...rows.flatMap(({ type }, index) =>
      type === ComponentType.ActionRow
        ? []
        : [problem(['components', index], 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (1,).')],
    ),
  ]
}

function checkV2(form: MessageForm, all: Placed[], existing?: Message): FormProblem[] {
  const problems: FormProblem[] = []
  for (const field of ['content', 'embeds', 'poll', 'sticker_ids'] as const) {
    const value = form[field]
    const left =
      existing && (field === 'content' || field === 'embeds') && value === undefined ? existing[field] : value
    if (left == null || (left as string | unknown[]).length === 0) continue
    const message = `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`
    problems.push(problem([field], 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2', message))
  }
  if (all.length > maxComponents) {
    const message = `The total number of components must be ${maxComponents} or fewer`
    problems.push(problem(['components'], 'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED', message))
  }
  if (textOf(all).reduce((sum, text) => sum + lengthOf(text), 0) > maxComponentText) {
    const message = `The total displayable text size must be ${maxComponentText} or fewer`
    problems.push(problem(['components'], 'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED', message))
  }
  return problems
}

const textOf = (all: Placed[]): string[] =>
  all.flatMap(({ component }) => (component.type === ComponentType.TextDisplay ? [component.content ?? ''] : []))

export const isTooManyBytes = (components: Component[]): boolean => {
  const texts = textOf(placed(components))
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 12, 0) > maxComponentBytes
}

/** The names behind attachment://…, with the places that name them. */
export const mediaOf = (all: Placed[]): { name: string; path: (string | number)[] }[] =>
  all.flatMap(({ component, path }) => {
    const items = Array.isArray(component.items) ? (component.items as { media?: { url?: string } }[]) : []
    const media = [component.file, component.media, ...items.map((item) => item.media)] as (
      | { url?: string }
      | undefined
    )[]
    return media.flatMap((one) => {
      const name = /^attachment:\/\/(.+)$/.exec(one?.url ?? '')?.[1]
      return name === undefined ? [] : [{ name, path }]
    })
  })

/** The names of the files that a message has after the request. */
export function fileNames(form: MessageForm, files: Map<string, UploadedFile>, existing?: Message): string[] {
  const kept = existing?.attachments.filter(
    ({ id }) => form.attachments == null || form.attachments.some((one) => String(one.id) === id),
  )
  const renamed = (key: string) => form.attachments?.find(({ id }) => String(id) === key)?.filename
  return [...(kept ?? []).map(({ filename }) => filename), ...[...files].map(([key, { name }]) => renamed(key) ?? name)]
}

function checkMedia(
  all: Placed[],
  form: MessageForm,
  files: Map<string, UploadedFile>,
  existing?: Message,
): FormProblem[] {
  const names = fileNames(form, files, existing)
  return mediaOf(all)
    .filter(({ name }) => !names.includes(name))
    .map(({ name, path }) => {
      const message = `The referenced attachment ${name} was not found`
      return problem(path, 'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND', message)
    })
}
