import { extensionOf } from './type.ts'

/** What people expect of a file. */
export type Family = 'pdf' | 'word' | 'sheet' | 'slides' | 'image' | 'recording' | 'archive' | 'text'

export const familyWords: Record<Family, string> = {
  pdf: 'a PDF document',
  word: 'a Word document',
  sheet: 'a spreadsheet',
  slides: 'a presentation',
  image: 'an image',
  recording: 'a recording',
  archive: 'an archive',
  text: 'a text file',
}

const extensions: Record<Family, string> = {
  pdf: 'pdf',
  word: 'doc docx docm dot dotx dotm odt rtf',
  sheet: 'xls xlsx xlsm xlsb xlt xltx xltm ods',
  slides: 'ppt pptx pptm pps ppsx pot potx odp',
  image: 'png jpg jpeg gif webp bmp tif tiff heic heif avif ico',
  recording: 'mp3 wav m4a ogg oga flac aac mp4 mov avi mkv webm',
  archive: 'zip gz tgz tar bz2 xz 7z rar',
  text: 'txt md csv tsv json jsonl xml yaml yml html htm log ics eml srt',
}

const byExtension = new Map(
  Object.entries(extensions).flatMap(([family, all]) =>
    // Object.entries loses the types of the keys.
    all.split(' ').map((extension): [string, Family] => [extension, family as Family]),
  ),
)

/** What a name promises; undefined for names that promise nothing known. */
export const promisedBy = (name: string): Family | undefined => byExtension.get(extensionOf(name))

/** What a MIME type is. */
export function familyOf(type: string): Family | undefined {
  const media = type.slice(0, type.indexOf('/'))
  if (type === 'application/pdf') return 'pdf'
  if (/wordprocessingml|msword|ms-word|opendocument\.text|\/rtf$/.test(type)) return 'word'
  if (/spreadsheet|ms-excel/.test(type)) return 'sheet'
  if (/presentation|ms-powerpoint/.test(type)) return 'slides'
  if (type === 'image/svg+xml') return 'text'
  if (media === 'image') return 'image'
  if (media === 'audio' || media === 'video') return 'recording'
  if (archives.has(type)) return 'archive'
  return media === 'text' || texts.has(type) ? 'text' : undefined
}

const texts = new Set([
  'application/json',
  'application/jsonl',
  'application/sql',
  'application/toml',
  'application/x-sh',
  'application/xml',
  'application/yaml',
])

const archives = new Set([
  'application/gzip',
  'application/java-archive',
  'application/x-7z-compressed',
  'application/x-bzip2',
  'application/x-rar-compressed',
  'application/x-tar',
  'application/x-xz',
  'application/zip',
  'application/zstd',
])
