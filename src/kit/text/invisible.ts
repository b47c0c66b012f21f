/**
 * Removes what people can't see but a model reads: zero-width characters, tags, marks that change the direction,
 * fillers, controls. Joiners stay between letters and in emoji, where writing needs them.
 */
export const withoutInvisible = (text: string): string => text.replace(invisible, '').replace(strayJoiner, '')

// \uFE0F asks for the coloured form of an emoji.
const invisible =
  /(?!\u200C|\u200D|\uFE0F)[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\p{Co}\p{Zl}\p{Zp}]|(?![\n\t])\p{Cc}/gu
const strayJoiner =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]|\uFE0F)[\u200C\u200D]|[\u200C\u200D](?![\p{L}\p{Extended_Pictographic}])|(?<![\p{Extended_Pictographic}\d#*])\uFE0F/gu
