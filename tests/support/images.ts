/** A red dot, 1 by 1; any bytes may follow its end. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC',
  'base64',
)
export const gif = Buffer.from('R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')
export const webp = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')
/** The beginning of an image, from which its type is detected. */
export const jpeg = Buffer.from('/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////', 'base64')
export const bmp = Buffer.concat([
  Buffer.from('BM'),
  Buffer.from([58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0]),
  Buffer.alloc(44),
])

export const sized = (image: Buffer, bytes: number): Buffer =>
  Buffer.concat([image, Buffer.alloc(bytes - image.length)])
