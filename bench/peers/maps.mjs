// What a host in a dynamic language does: one Map with concatenated keys. Reads a data set that the
// benchmark wrote, and prints what one look-up takes and a sum over all answers.
//   node maps.mjs DATA ROUNDS
import {readFileSync} from 'node:fs';
import process from 'node:process';

const data = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const rounds = Number(process.argv[3]);
const batch = 1024;

const folders = new Map(data.sessions);
const decisions = new Map();
for (const [scope, place, key, enabled] of data.decisions)
  decisions.set(`${scope}\n${place}\n${key}`, enabled);

// Two bits for each scope, as in found.h.
const bits = (value) => (value === undefined ? 0 : value ? 2 : 1);

function find(session, key) {
  const folder = folders.get(session);
  return bits(decisions.get(`0\n${session}\n${key}`)) |
      (bits(decisions.get(`1\n${folder}\n${key}`)) << 2) |
      (bits(decisions.get(`2\n\n${key}`)) << 4);
}

let sum = 0n;
for (let i = 0; i < data.lookups.length; ++i) {
  const [session, key] = data.lookups[i];
  sum += BigInt(find(data.sessions[session][0], data.keys[key])) * BigInt(i + 1);
}

const times = [];
let next = 0;
let kept = 0;
for (let round = 0; round < rounds; ++round) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < batch; ++i) {
    const [session, key] = data.lookups[next];
    kept += find(data.sessions[session][0], data.keys[key]);
    next = next + 1 === data.lookups.length ? 0 : next + 1;
  }
  times.push(Number(process.hrtime.bigint() - start) / batch);
}
times.sort((a, b) => a - b);
const at = (part) => times[Math.round(part * (times.length - 1))];
console.log(`${at(0.5)} ${at(0.99)} ${sum} ${process.version} ${kept < 0 ? 'x' : 'ok'}`);
