import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Reads the size of the JPEG that it is given, which is all that a stand-in can tell of a picture. */
const readsSize = `local $/; binmode STDIN; my $picture = <STDIN>; my $at = 2; my ($width, $height) = (0, 0);
while ($at + 9 < length $picture) {
  my ($mark, $length) = unpack 'x n n', substr($picture, $at - 1, 5);
  if ($mark >= 0xffc0 && $mark <= 0xffc3) { ($height, $width) = unpack 'n n', substr($picture, $at + 5, 4); last }
  $at += 2 + $length;
}`

const languages = `if (($ARGV[0] // '') eq '--list-langs') { print "List of available languages (2):\\neng\\nosd\\n"; exit }`

/** What it prints about a picture, in Perl; \`$width\` and \`$height\` are known. */
export const aWord = (text = 'wide'): string =>
  `print join("\\t", 5, 1, 1, 1, 1, 1, 0, 0, 9, 9, 96.5, "${text}$width"), "\\n";`

/**
 * A program that stands in for Tesseract where the machine has none: asked as Bobbin asks Tesseract, it answers in the
 * same table. It runs contained, and starts no other program.
 */
export async function standIn(does = aWord()): Promise<string> {
  // A contained program has a /dev of its own, where the temporary folder of tests may be.
  const folder = await mkdtemp('/tmp/bobbin-ocr-')
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const program = join(folder, 'tesseract')
  await writeFile(program, `#!/usr/bin/perl\n$| = 1;\n${languages}\n${readsSize}\n${does}\n`)
  await chmod(program, 0o755)
  return program
}
