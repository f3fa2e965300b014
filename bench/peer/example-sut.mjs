#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
/*
 * The smallest implementation under test of e2e_bench.py: it shows the protocol of the harness and nothing else.
 *
 * NOT A BRIDGE. It keeps nothing on disk, so its A and D lines claim commits that never happen; it has no lanes, no duplicate
 * check, no control lane, no heartbeat, no reconnect. Its figures are the ceiling of harness and socket, not a result.
 * What a real one must do in these places is marked "A BRIDGE".
 *
 *   python3 e2e_bench.py admit_w256 turns_w256 --repeats 1 --sut 'node example-sut.mjs'
 *
 * Modes admit, turns and idle.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';


const string = (value) => ({ type: 'string', ...(value !== undefined && { default: value }) });
const { values: option } = parseArgs({
  options: {
    'port': string(), 'report-port': string(), 'home': string(), 'mode': string('turns'), 'count': string('2000'), 'limit': string('45'),
    'answer': string('ok, done'), 'handler-ms': string('0'), 'dispatches': string('4'), 'preload': string('0'),
  },
});
const count = Number(option.count);
if (!['admit', 'turns', 'idle'].includes(option.mode)) {
  console.log(JSON.stringify({ error: `example-sut.mjs has no mode ${option.mode}` }));
  process.exit(0);
}

// ---- the report port: one line per fact, the time is CLOCK_MONOTONIC in ns
const report = net.connect(Number(option['report-port']), '127.0.0.1').setNoDelay(true);
await new Promise((resolve, reject) => report.once('connect', resolve).once('error', reject));
const tell = (fact, messageId) => report.write(`${fact} ${messageId} ${process.hrtime.bigint()}\n`);

// ---- the chat server's side (BPP): connect, semantic actions and their results, inbound messages
const dialled = performance.now();
const socket = new WebSocket(`ws://127.0.0.1:${option.port}/ws/plugin`, {
  perMessageDeflate: false,
  headers: { authorization: `Bearer ${process.env.BORGEE_API_KEY}` },
});
const send = (frame) => socket.send(JSON.stringify(frame));
const waiting = new Map(); // nonce -> { resolve, reject } of the action
let agentId = '';

function act(action, payload) {
  const nonce = randomUUID();
  send({ type: 'semantic_action', agent_id: agentId, action, payload: JSON.stringify(payload), nonce });
  return new Promise((resolve, reject) => waiting.set(nonce, { resolve, reject }));
}

socket.on('message', (data) => {
  const frame = JSON.parse(data);
  if (frame.type === 'inbound_message') receive(frame).catch((error) => finish(error));
  else if (frame.type === 'ping') send({ type: 'pong' });
  else if (frame.type === 'semantic_action_result') {
    const action = waiting.get(frame.nonce);
    waiting.delete(frame.nonce);
    if (frame.status === 'ok') action?.resolve(frame.payload ? JSON.parse(frame.payload) : null);
    else action?.reject(new Error(frame.error));
  }
});
await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
send({ type: 'connect', plugin_id: 'example-sut', token: '', version: 'bpp-1', capabilities: '["semantic_action","inbound_message"]' });
agentId = (await act('get_me', {})).id;
const connectMs = performance.now() - dialled;

// ---- one message: receipt, turn, answer, end
const cpuAtStart = process.cpuUsage();
const answerMs = [];
let acked = 0;
let terminal = 0;
let timedOut = 0;

async function receive({ message_id: messageId, channel_id: channelId }) {
  // A BRIDGE: check for a duplicate and commit the receipt durably; only then:
  tell('A', messageId);
  acked += 1;
  if (option.mode === 'admit') return acked === count && finish();

  // A BRIDGE: claim it, in the order of its lane, one turn a lane and --dispatches lanes at once; then start the turn
  tell('H', messageId);
  const task = { task_id: randomUUID(), agent_id: agentId, channel_id: channelId };
  send({ type: 'task_started', ...task, subject: 'turn', started_at: Date.now() });
  if (option['handler-ms'] !== '0') await sleep(Number(option['handler-ms']));
  if (option.answer) {
    const started = performance.now();
    await act('send_message', { channel_id: channelId, content: option.answer, reply_to_id: messageId });
    answerMs.push(performance.now() - started); // A BRIDGE: with the commit of the outbound id
  }
  send({ type: 'task_finished', ...task, outcome: 'completed', reason: '', finished_at: Date.now() });
  // A BRIDGE: commit the terminal state; only then:
  tell('D', messageId);
  terminal += 1;
  if (terminal === count) finish();
}

// ---- the end: E as the last line on the report port, figures as the last line on stdout
function finish(error) {
  const cpu = process.cpuUsage(cpuAtStart);
  const at = (q) => answerMs.sort((a, b) => a - b)[Math.max(0, Math.ceil(q * answerMs.length) - 1)];
  const figures = error ? { error: String(error) } : {
    connect_ms: connectMs,
    cpu_s: (cpu.user + cpu.system) / 1e6,
    peak_rss_mib: Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024,
    acked,
    terminal,
    ...(answerMs.length && { answer_send_p50_ms: at(0.5), answer_send_p99_ms: at(0.99) }),
    timed_out: timedOut,
  };
  report.end('E\n', () => {
    console.log(JSON.stringify(figures));
    process.exit(0);
  });
}

setTimeout(() => {
  timedOut = 1;
  finish();
}, Number(option.limit) * 1000);
report.write('G\n'); // ready: the server may send
