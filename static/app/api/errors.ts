/** One flaw of a request: where it is (a JSON Pointer), what that is called, and what is wrong. */
interface Flaw {
  path: string
  /** The path in words; absent or empty where a flaw is about the whole request. */
  name?: string
  message: string
}

/**
 * A refused or unanswered call. `code` is the server's; `NO_ANSWER` stands for a call that got no answer, or one of 500
 * and above, after it was repeated.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** Repeats the call, for a change that got no answer and cannot take effect twice. */
  again?: () => void
  /** Opens the page of the thing that a change was about, when its state did not allow the change. */
  show?: () => void

  constructor(
    readonly code: string,
    message: string,
    readonly about: { status: number; details?: unknown; request_id?: string; retry_after_s?: number },
  ) {
    super(message)
  }

  get status(): number {
    return this.about.status
  }

  get request_id(): string | undefined {
    return this.about.request_id
  }

  /** The flaws of a request that did not pass validation. */
  get flaws(): Flaw[] {
    return Array.isArray(this.about.details) ? (this.about.details as Flaw[]) : []
  }

  /**
   * Who stored the version that a change would have overwritten, and when (docs/api/conventions.md); null otherwise.
   */
  get crossed_by(): { id: string | null; name: string | null; at: string } | null {
    const [first] = this.flaws as { updated_by?: { id: string; name: string | null } | null; updated_at?: string }[]
    const { updated_by, updated_at } = first ?? {}
    return updated_at ? { id: updated_by?.id ?? null, name: updated_by?.name ?? null, at: updated_at } : null
  }

  /** The error of the field that a JSON Pointer names, or null. */
  flawOf(path: string): string | null {
    return this.flaws.find((flaw) => flaw.path === path)?.message ?? null
  }

  /** As `flawOf`, also for an error of one of the values of a field: it says which. */
  flawIn(path: string): string | null {
    const within = this.flaws.find((flaw) => flaw.path.startsWith(`${path}/`))
    return this.flawOf(path) ?? (within ? [within.name, within.message].filter(Boolean).join(': ') : null)
  }
}

/**
 * Reads an error response, in the shape of the newsletter or of the platform (docs/api/errors.md). Its message and its
 * flaws become sentences for people. The code for that is loaded when the page is idle; without it the service's own
 * words stay.
 */
export async function readError(response: Response, body: unknown): Promise<ApiError> {
  const { error, message = 'The service refused this.', details } = (body ?? {}) as Refusal
  const [code, said] =
    typeof error === 'object'
      ? [String(error.code), { message: String(error.message), details: error.details }]
      : [String(error ?? response.status).toUpperCase(), { message, details }]
  const words = await import('./refusal-words.ts').then(
    ({ inWords }) => inWords(said),
    () => said,
  )
  return new ApiError(code, words.message, {
    status: response.status,
    request_id: response.headers.get('x-request-id') ?? undefined,
    retry_after_s: Number(response.headers.get('retry-after')) || undefined,
    details: words.details,
  })
}

interface Refusal {
  error?: string | Record<string, unknown>
  message?: string
  details?: unknown
}
