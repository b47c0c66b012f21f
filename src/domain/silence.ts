/** What the model answers when nothing is wanted of it. */
const silence = '[silent]'

export const saysNothing = (text: string): boolean => ['', silence].includes(text.trim().toLowerCase())

/** What has come so far may be the beginning of it. */
export const mayBecomeSilence = (text: string): boolean => silence.startsWith(text.trim().toLowerCase())

/** As the model reads it later among its own words: some providers take no empty ones. */
export const silenceKept = silence

export const silenceReminder = `Nobody named you in this message: people may be talking with each other. If nothing is wanted of you, answer with ${silence} and nothing else: then nothing is posted.`
