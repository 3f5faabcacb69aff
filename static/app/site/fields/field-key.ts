const MAX = 40

/** A key made from a name: "Length of the boat" becomes `length_of_the_boat`. */
export function keyOf(label: string): string {
  const plain = label.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .slice(0, MAX)
}
