import fs from 'node:fs'
import { sha256 } from '../secrets.ts'

/**
 * An identifier that differs between a file or folder and its copies (docs/operations.md#facts); null for a missing
 * file. It holds the inode number, the creation time in nanoseconds, which no copying program can set on Linux, and the
 * machine. It omits the device number, which many file systems change with each mount.
 */
export function placeOf(path: string, machine = machineId()): string | null {
  const found = fs.statSync(path, { bigint: true, throwIfNoEntry: false })
  // The creation time is 0 on a file system that does not store it.
  return found ? `${found.ino}.${found.birthtimeNs}@${machine ?? ''}` : null
}

/** Whether two places are equal. An unknown machine equals every other. */
export function isSamePlace(one: string, other: string): boolean {
  const [[file, machine], [other_file, other_machine]] = [one.split('@'), other.split('@')]
  return file === other_file && (!machine || !other_machine || machine === other_machine)
}

let knownMachine: string | null | undefined

function machineId(): string | null {
  if (knownMachine === undefined) knownMachine = readMachineId()
  return knownMachine
}

const ID_CHARACTERS = 16

/**
 * A hash of the machine's id; null where there is no stable one. `/etc/machine-id` of a container comes from its image
 * and is the same in every container, so it counts only under systemd.
 */
function readMachineId(): string | null {
  try {
    const id =
      process.platform === 'darwin'
        ? /"IOPlatformUUID" = "([^"]+)"/.exec(
            Bun.spawnSync(['ioreg', '-rd1', '-c', 'IOPlatformExpertDevice']).stdout.toString(),
          )?.[1]
        : fs.existsSync('/run/systemd/system') && fs.readFileSync('/etc/machine-id', 'utf8').trim()
    return id ? sha256(id).slice(0, ID_CHARACTERS) : null
  } catch {
    return null
  }
}
