const BLOCK = 512

interface Entry {
  name: string
  mode: number
  bytes: Uint8Array
}

/** A gzipped archive of files in the format of POSIX (ustar). The same files and time make the same bytes. */
export function tarball(entries: readonly Entry[], at_ms: number): Uint8Array<ArrayBuffer> {
  const blocks = entries.flatMap((entry) => [header(entry, at_ms), entry.bytes, padding(entry.bytes.length)])
  return Bun.gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 })
}

/** Numbers are octal, right before a NUL. The checksum counts its own field as spaces. */
function header({ name, mode, bytes }: Entry, at_ms: number): Uint8Array {
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0')
  const fields: [offset: number, text: string][] = [
    [0, name],
    [100, octal(mode, 8)],
    [108, octal(0, 8)], // root owns it
    [116, octal(0, 8)],
    [124, octal(bytes.length, 12)],
    [136, octal(Math.floor(at_ms / 1000), 12)],
    [148, ' '.repeat(8)],
    [156, '0'], // a file
    [257, 'ustar\u000000'],
    [265, 'root'],
    [297, 'root'],
  ]
  for (const [offset, text] of fields) block.write(text, offset, 'latin1')
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      7,
    )}\u0000 `,
    148,
    'latin1',
  )
  return block
}

function padding(length: number): Uint8Array {
  return Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK)
}
