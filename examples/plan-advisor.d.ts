/**
 * The data parts of plan-advisor's AI SDK stream: `useChat<UIMessage<PlanMetadata, PlanParts>>`.
 * Money is whole cents, percentages are decimals (5% is 0.05).
 */
export interface PlanMetadata {
  turnId: string;
  usage?: { inputTokens: number; outputTokens: number; totalTokens: number; cachedInputTokens?: number; reasoningTokens?: number };
}

/** `type` is the key behind `data-`. */
export type PlanParts = {
  "extracted-value": ExtractedValue;
  "updated-outputs": UpdatedOutputs;
  /** Paths of key fields that nobody has set. */
  "missing-fields": string[];
  confirmation: PendingConfirmation;
};

export interface ExtractedValue {
  id: string;
  /** As in `GET /api/fields`: `operatingCosts.rentMonthly`. */
  field: string;
  label: string;
  kind: "money" | "percent" | "count" | "months" | "days" | "years" | "multiple";
  value: number;
  previousValue: number | null;
  confidence: "high" | "tentative" | "uncertain";
  /** `proposed`: POST …/conversation/extractions/{id}/accept or …/dismiss. */
  status: "applied" | "unchanged" | "proposed" | "accepted" | "dismissed" | "invalid";
  applied: boolean;
  rangeWarning: string | null;
  rangeCode: "above_item7" | "below_item7" | "above_typical" | "below_typical" | null;
  /** The user's own words. */
  evidence: string | null;
  note: string | null;
}

export interface UpdatedOutputs {
  computedAt: string;
  engineVersion: string;
  /** By the names of `GET /api/metrics`. */
  metrics: Record<string, number | null>;
  annual: Record<string, number | null>[];
  item7: { low: number; high: number; planTotal: number; position: "below" | "within" | "above" };
  checks: Record<string, unknown>;
  advisories: { code: string; level: "ok" | "watch" | "alert"; message: string }[];
  /** What moved; empty when nothing did. */
  changes: { metric: string; before: number | null; after: number | null }[];
}

/** POST …/conversation/confirmation {id, decision: "approve" | "deny"}, or a plain yes or no as the next message. */
export interface PendingConfirmation {
  id: string;
  toolName: string;
  prompt: string;
  arguments: Record<string, unknown>;
  expiresAt: string;
}
