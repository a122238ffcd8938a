// The turn of plan-advisor as a careful developer would write it in Node: Express, the AI SDK, pg. Three named statements, a
// pool, only the end of the history, one upsert at the end. It has no leases, no audit trail and no replay.
import express from 'express';
import pg from 'pg';
import { z } from 'zod';
import { isStepCount, streamText, tool } from 'ai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

const HISTORY = 20;
globalThis.AI_SDK_LOG_WARNINGS = false;
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const model = createOpenAICompatible({
  name: 'model', baseURL: process.env.LLM_BASE_URL, apiKey: 'bench', includeUsage: true,
})('mock');

const FIND_USER = {
  name: 'find-user',
  text: 'select u.id, u.role from sessions s join users u on u.id = s.user_id where s.id = $1 and s.expires_at > now()',
};
const FIND_PLAN = {
  name: 'find-plan',
  text: `select p.id, p.user_id, p.financial_inputs, b.fields, b.costs,
           jsonb_path_query_array(c.messages, '$[last - ${HISTORY - 1} to last]') as recent
         from plans p join brands b on b.id = p.brand_id left join conversations c on c.plan_id = p.id where p.id = $1`,
};
const SAVE_TURN = {
  name: 'save-turn',
  text: `insert into conversations (plan_id, messages, tokens_used) values ($1, $2, $3)
         on conflict (plan_id) do update set messages = conversations.messages || excluded.messages,
           tokens_used = conversations.tokens_used + excluded.tokens_used, updated_at = now()`,
};
const APPLY = {
  name: 'apply',
  text: 'update plans set financial_inputs = financial_inputs || $2, updated_at = now() where id = $1',
};

const first = async (statement, ...values) => (await pool.query({ ...statement, values })).rows[0];
const refuse = (res, status, code) => res.status(status).json({ error: { code, message: code.toLowerCase() } });

function instructions(plan) {
  const fields = Object.entries(plan.fields).map(([path, field]) => {
    const now = plan.financial_inputs[path];
    const current = now ? `now ${now.currentValue} from ${now.source}` : 'empty';
    return `- ${path}: ${field.label}, ${current}, the brand has ${field.value}. ${field.description}`;
  });
  const costs = plan.costs.map((cost) => `- ${cost.name}: from ${cost.low} to ${cost.high}`);
  return [
    'You help a franchisee to fill in a financial plan. Every number is theirs: ask questions, give the averages of the brand '
      + 'as a reference, recommend no value. Call set_financial_field for each value that they state.',
    'Fields:', ...fields, 'Startup costs in cents:', ...costs,
  ].join('\n');
}

function setField(plan, extracted) {
  return tool({
    description: 'Records a value that the franchisee stated.',
    inputSchema: z.object({ path: z.string(), value: z.number(), confidence: z.enum(['high', 'tentative', 'uncertain']) }),
    execute: async ({ path, value, confidence }) => {
      const known = plan.financial_inputs[path];
      const stored = /(Percent|Rate|Growth)$/.test(path) ? value / 100 : Math.round(value * 100);
      const outside = known && (stored < known.range.low || stored > known.range.high);
      const entry = { field: path, value: stored, confidence, rangeWarning: outside ? 'outside the usual range' : null };
      extracted.push(entry);
      return { ok: Boolean(known), ...entry };
    },
  });
}

async function store(plan, message, answer, extracted, tokens) {
  const timestamp = new Date().toISOString();
  const messages = [
    { role: 'user', content: message, extractedValues: null, timestamp },
    { role: 'assistant', content: answer, extractedValues: extracted.length ? extracted : null, timestamp },
  ];
  const values = [plan.id, JSON.stringify(messages), tokens];
  const applied = extracted.filter((entry) => entry.confidence === 'high' && plan.financial_inputs[entry.field]);
  if (applied.length === 0) return pool.query({ ...SAVE_TURN, values });
  const inputs = Object.fromEntries(applied.map(({ field, value }) => [field, {
    ...plan.financial_inputs[field], currentValue: value, source: 'ai_populated', lastModifiedAt: timestamp, isCustom: true,
  }]));
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({ ...SAVE_TURN, values });
    await client.query({ ...APPLY, values: [plan.id, JSON.stringify(inputs)] });
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

async function signedIn(req, res, next) {
  const session = /(?:^|;\s*)sid=([^;]+)/.exec(req.headers.cookie ?? '')?.[1];
  req.user = session && await first(FIND_USER, session);
  return req.user ? next() : refuse(res, 401, 'UNAUTHENTICATED');
}

async function turn(req, res) {
  const message = req.body?.message;
  if (typeof message !== 'string' || !message.trim()) return refuse(res, 400, 'VALIDATION_ERROR');
  const plan = await first(FIND_PLAN, req.params.id);
  if (!plan) return refuse(res, 404, 'NOT_FOUND');
  if (plan.user_id !== req.user.id) return refuse(res, 403, 'FORBIDDEN');

  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' });
  const send = (event) => res.write(`data: ${JSON.stringify(event)}\n\n`);
  const left = new AbortController();
  res.on('close', () => left.abort());
  const extracted = [];
  try {
    const result = streamText({
      model, temperature: 0.3, maxRetries: 0, stopWhen: isStepCount(5), abortSignal: left.signal, onError: () => {},
      instructions: instructions(plan),
      messages: [...(plan.recent ?? []).map(({ role, content }) => ({ role, content })), { role: 'user', content: message }],
      tools: { set_financial_field: setField(plan, extracted) },
    });
    let answer = '';
    let tokens = 0;
    for await (const part of result.fullStream) {
      if (part.type === 'text-delta') {
        answer += part.text;
        send({ type: 'token', content: part.text });
      } else if (part.type === 'error') {
        throw part.error;
      } else if (part.type === 'finish') {
        tokens = part.totalUsage?.totalTokens ?? 0;
      }
    }
    if (left.signal.aborted) return;
    await store(plan, message, answer, extracted, tokens);
    send({ type: 'done', fullResponse: answer, extractedValues: extracted });
  } catch (error) {
    if (left.signal.aborted) return;
    console.error(error);
    send({ type: 'error', code: 'LLM_UNAVAILABLE' });
  }
  res.end();
}

const app = express();
app.disable('x-powered-by');
app.use(express.json());
app.get('/healthz', (_req, res) => res.send('ok'));
app.post('/api/plans/:id/conversation', signedIn, turn);
app.listen(Number(process.env.PORT), '127.0.0.1');
