import { AppError, type Flaw } from '../errors.ts'
import { flawOfCode, type CodeRange } from '../scripts/code.ts'
import { checkParameters } from '../scripts/parameters.ts'
import { placeholderKeys } from '../scripts/placeholders.ts'
import { checkRendered, renderScript } from '../scripts/render.ts'
import type { ParameterFormats } from '../store/tables/scripts.ts'

/** A script as sites would get it. */
interface Trial {
  /** The code with its values filled in; a placeholder without one stays. */
  code: string
  /** The keys of its placeholders. */
  keys: string[]
  /** Why the script could not be saved; null when it can be. */
  problem: string | null
  /** The range of the code at fault; null when no single range is. */
  problem_at: CodeRange | null
}

/** Renders a script that is not saved, with the error that prevents saving it. */
export function tryScript(text: { code: string; parameters?: unknown; parameter_formats?: ParameterFormats }): Trial {
  const { code, parameter_formats = {} } = text
  const keys = placeholderKeys(code)
  const cannot = (problem: string, problem_at: CodeRange | null): Trial => ({ code, keys, problem, problem_at })
  try {
    const flaw = flawOfCode(code)
    if (flaw) return cannot(flaw.message, flaw.at)
    const parameters = checkParameters(text.parameters ?? {})
    checkRendered({ code, parameters, parameter_formats })
    return { code: renderScript(code, parameters, parameter_formats), keys, problem: null, problem_at: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error
    const [flaw] = error.details as Flaw[]
    return cannot(flaw?.message ?? error.message, placeholderAt(code, flaw?.path ?? ''))
  }
}

/** The first placeholder that a flawed parameter fills. */
function placeholderAt(code: string, path: string): CodeRange | null {
  const placeholder = `{{${path.split('/')[2]}}}`
  const from = path.startsWith('/parameters/') ? code.indexOf(placeholder) : -1
  return from === -1 ? null : { from, to: from + placeholder.length }
}
