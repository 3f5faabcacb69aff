/**
 * " Did you mean …?" with the most similar known name, or the empty string. Allows one typing error in names of up to
 * four characters, two in names of up to nine, and three in longer names.
 */
export function didYouMean(name: string, known: readonly string[]): string {
  const prefix = /^(MASTHEAD_|--)?/.exec(name)![0]
  const own = name.slice(prefix.length)
  const most = own.length <= 4 ? 1 : own.length <= 9 ? 2 : 3
  const near = known
    .filter((candidate) => candidate.startsWith(prefix))
    .map((candidate) => ({ candidate, distance: editDistance(own, candidate.slice(prefix.length)) }))
    .sort((a, b) => a.distance - b.distance)[0]
  return near && near.distance <= most ? ` Did you mean ${near.candidate}?` : ''
}

/** The number of insertions, deletions, substitutions and swaps of neighbors (optimal string alignment distance). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swap =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? rows[i - 2]![j - 2]! + 1
          : Number.POSITIVE_INFINITY
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, change, swap))
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
