/**
 * The Lua scripts. The server runs each one atomically, so nothing comes between a read and a write.
 *
 * Keys, after the store's prefix: `d:<key>` a document, a hash of kind `k`, version `v` and data `d`; `l:<key>` a log,
 * a stream whose entry `<seq>-0` has one field `r`, the record as JSON; `i:<key>` a log's ids, a hash of seqs; `index`
 * a sorted set of all keys, so that a listing never scans the server; `format` the version of this layout. Entries are
 * never deleted one by one, so a stream's length is its last seq.
 */

/** KEYS: document, log. Returns kind, version and data of a document; `log` for a log; `none` otherwise. */
export const GET = `
local found = redis.call('HMGET', KEYS[1], 'k', 'v', 'd')
if found[1] then return found end
return redis.call('EXISTS', KEYS[2]) == 1 and 'log' or 'none'
`;

/** KEYS: document, log, index. ARGV: member, `any` | `none` | `is`, the version expected, kind, version, data. */
export const PUT = `
if redis.call('EXISTS', KEYS[2]) == 1 then return {'log'} end
if ARGV[2] ~= 'any' then
  local actual = redis.call('HGET', KEYS[1], 'v')
  if ARGV[2] == 'none' and actual then return {'conflict', actual} end
  if ARGV[2] == 'is' and not actual then return {'absent'} end
  if ARGV[2] == 'is' and actual ~= ARGV[3] then return {'conflict', actual} end
end
redis.call('HSET', KEYS[1], 'k', ARGV[4], 'v', ARGV[5], 'd', ARGV[6])
redis.call('ZADD', KEYS[3], 0, ARGV[1])
return {'ok'}
`;

/** KEYS: document, log, ids, index. ARGV: member, `any` | `version` | `seq`, what is expected. */
export const REMOVE = `
if ARGV[2] ~= 'any' then
  local length = redis.call('XLEN', KEYS[2])
  if length > 0 then
    if ARGV[2] ~= 'seq' or ARGV[3] ~= tostring(length) then return {'seq', length} end
  else
    local actual = redis.call('HGET', KEYS[1], 'v')
    if actual and (ARGV[2] ~= 'version' or ARGV[3] ~= actual) then return {'version', actual} end
    if not actual and not (ARGV[2] == 'seq' and ARGV[3] == '0') then return {'absent'} end
  end
end
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
redis.call('ZREM', KEYS[4], ARGV[1])
return {'ok'}
`;

/**
 * KEYS: document, log, ids, index. ARGV: member, `1` if there is an id, the id, the expected seq or nothing, one or
 * more records.
 */
export const APPEND = `
if redis.call('EXISTS', KEYS[1]) == 1 then return {'document'} end
if ARGV[2] == '1' then
  local known = redis.call('HGET', KEYS[3], ARGV[3])
  if known then return {'duplicate', tonumber(known)} end
end
local last = redis.call('XLEN', KEYS[2])
if ARGV[4] ~= '' and ARGV[4] ~= tostring(last) then return {'conflict', last} end
if last == 0 then redis.call('ZADD', KEYS[4], 0, ARGV[1]) end
for position = 5, #ARGV do
  last = last + 1
  redis.call('XADD', KEYS[2], last .. '-0', 'r', ARGV[position])
end
if ARGV[2] == '1' then redis.call('HSET', KEYS[3], ARGV[3], last) end
return {'ok', last}
`;

/** KEYS: index. ARGV: from, to, count, prefix. Returns keys and versions in turn. */
export const LIST = `
local answer = {}
for _, member in ipairs(redis.call('ZRANGEBYLEX', KEYS[1], ARGV[1], ARGV[2], 'LIMIT', 0, ARGV[3])) do
  answer[#answer + 1] = member
  answer[#answer + 1] = redis.call('HGET', ARGV[4] .. 'd:' .. member, 'v') or tostring(redis.call('XLEN', ARGV[4] .. 'l:' .. member))
end
return answer
`;
