import { fileType, headBytes, isText } from '../files/type.ts'
import { badType } from './failures.ts'

/** A content type, as a header gives it. */
export interface Claim {
  /** Without parameters, in lower case; '' if there is none. */
  type: string
  /** Only one that can be decoded. */
  charset: string | undefined
}

export function claimOf(header: string): Claim {
  const [type = ''] = header.split(';', 1)
  const charset = /;\s{0,9}charset\s{0,9}=\s{0,9}"?([\w:.-]{1,40})/i.exec(header.slice(0, 1000))?.[1]
  return { type: type.trim().toLowerCase(), charset: charset === undefined ? undefined : known(charset) }
}

function known(charset: string): string | undefined {
  try {
    return new TextDecoder(charset).encoding
  } catch {
    return undefined
  }
}

const files = ['application/pdf', 'image/png', 'image/jpeg', 'image/gif', 'image/webp']
const textual =
  /^(text\/[\w.+-]+|application\/([\w.-]+\+)?(json|xml|yaml|toml)|application\/(jsonl|x-ndjson|x-yaml|javascript|x-javascript|sql|x-sh|rtf)|image\/svg\+xml)$/

const isTextual = (type: string): boolean => textual.test(type)
const isFile = (type: string): boolean => files.includes(type)

/** Types that say nothing, aren't registered, or are what some servers call CSV, so the content decides. */
const isUnsaid = (type: string): boolean =>
  [
    '',
    'application/octet-stream',
    'binary/octet-stream',
    'application/download',
    'application/force-download',
    'application/csv',
    'application/x-csv',
    'application/vnd.ms-excel',
    'application/x-pdf',
    'image/jpg',
  ].includes(type)

/** Whether it is text, by its content. UTF-16 may be full of zeros. */
export const isReadable = (bytes: Uint8Array, charset: string | undefined): boolean =>
  isText(bytes.subarray(0, headBytes)) || (charset?.startsWith('utf-16') ?? false)

/** Throws `bad_type` before anything is read. */
export function checkClaim({ type }: Claim): void {
  if (!isUnsaid(type) && !isFile(type) && !isTextual(type)) throw badType(`It is ${shown(type)}.`)
}

/** Whether it may be as large as a page or as large as a download. */
export const isPage = ({ type }: Claim): boolean => isTextual(type)

/**
 * The type by header and content together. Throws `bad_type` if they disagree, or if it isn't a type that is fetched.
 */
export async function typeOf({ type, charset }: Claim, bytes: Uint8Array, name: string): Promise<string> {
  const head = bytes.subarray(0, headBytes)
  if (bytes.length === 0) return isUnsaid(type) ? 'text/plain' : type
  const told = await toldBy(head, isUnsaid(type) ? name : '')
  if (isUnsaid(type)) {
    if (!isFile(told) && !isTextual(told)) throw badType(`It is ${shown(told)}.`)
    return told
  }
  if (isTextual(type)) {
    if (isReadable(bytes, charset) && !isFile(told)) return type
  } else if (isFile(told) && (told === type || (type.startsWith('image/') && told.startsWith('image/')))) return told
  throw badType(`It says it is ${shown(type)}, and is ${shown(told)}.`)
}

async function toldBy(head: Uint8Array, name: string): Promise<string> {
  const told = await fileType(name, head)
  const isHtml = told === 'text/plain' && /^\s{0,99}(<!doctype html|<html|<head|<body)/i.test(latin(head))
  return isHtml ? 'text/html' : told
}

const latin = (head: Uint8Array): string => Buffer.from(head.subarray(0, 200)).toString('latin1').replace('ï»¿', '')

const shown = (type: string): string =>
  type === 'application/octet-stream' ? 'a binary file' : type.slice(0, 80).replace(/[^\w/.+-]/g, '') || 'of no type'
