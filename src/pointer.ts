/** Longest name of the caller that a pointer repeats, in characters. */
const MAX_NAME = 100

/**
 * The JSON pointer (RFC 6901) to a value below `base`: `pointerTo('/rules/0', 'a/b')` is `/rules/0/a~1b`. A name may
 * come from the caller: it is cut after 100 characters, so that an error never echoes a long one.
 */
export function pointerTo(base: string, ...names: readonly (string | number)[]): string {
  return [base, ...names.map((name) => escaped(String(name)))].join('/')
}

/** The last name in a JSON pointer. */
export function lastNameIn(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}

function escaped(name: string): string {
  return name.slice(0, MAX_NAME).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')
}
