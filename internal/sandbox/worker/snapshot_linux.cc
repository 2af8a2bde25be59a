// A start-up snapshot: V8's own, plus a context in which the prelude has run. An
// isolate made from it needs no second context, compiles nothing and runs nothing
// before the script comes. v8go offers none, but V8 is in the same binary: what is
// declared here is V8's own, by its names in the library, with the structures of
// V8 13.6 (include/v8-snapshot.h, v8-script.h). TestSnapshot fails when an update
// changes them.

#include <stddef.h>
#include <stdint.h>
#include <sys/random.h>
#include "snapshot_linux.h"

namespace v8 {

namespace internal {
class Isolate;
using Address = uintptr_t;
}  // namespace internal

class Isolate;
class Object;
class Data;
class Value;
class ObjectTemplate;
class MicrotaskQueue;
class ExtensionConfiguration;

// A Local is the place of a handle.
template <class T>
struct Local {
  internal::Address* slot = nullptr;
};
template <class T>
struct MaybeLocal {
  Local<T> local;
};

struct StartupData {
  const char* data;
  int size;
};

struct Callback {
  void* function = nullptr;
  void* data = nullptr;
};
struct SerializeInternalFieldsCallback : Callback {};
struct SerializeContextDataCallback : Callback {};
struct SerializeAPIWrapperCallback : Callback {};
struct DeserializeInternalFieldsCallback : Callback {};
struct DeserializeContextDataCallback : Callback {};
struct DeserializeAPIWrapperCallback : Callback {};

class HandleScope {
 public:
  explicit HandleScope(Isolate*);
  ~HandleScope();
  static internal::Address* CreateHandle(internal::Isolate*, internal::Address);

 private:
  void* state_[3];
};

class Context {
 public:
  static Local<Context> New(Isolate*, ExtensionConfiguration*, MaybeLocal<ObjectTemplate>, MaybeLocal<Value>,
                            DeserializeInternalFieldsCallback, MicrotaskQueue*, DeserializeContextDataCallback,
                            DeserializeAPIWrapperCallback);
  void Enter();
  void Exit();
};

enum class NewStringType { kNormal };

class String {
 public:
  static MaybeLocal<String> NewFromUtf8(Isolate*, const char*, NewStringType, int);
};

class Script {
 public:
  MaybeLocal<Value> Run(Local<Context>);
};

class ScriptCompiler {
 public:
  enum CompileOptions { kNoCompileOptions, kConsumeCodeCache };
  enum NoCacheReason { kNoCacheNoReason };
  struct CachedData {
    enum BufferPolicy { BufferNotOwned };
    CachedData(const uint8_t*, int, BufferPolicy);
    ~CachedData();
    const uint8_t* data;
    int length;
    bool rejected;
    BufferPolicy policy;
  };
  struct Source {
    Local<String> text;
    Local<Value> name;
    int line = 0, column = 0;
    int options = 0;
    Local<Value> source_map;
    Local<Data> host_options;
    CachedData* cache = nullptr;
    void* task = nullptr;
    void* hint = nullptr;
    void* hint_data = nullptr;
    int64_t details[4] = {};  // V8 writes here how long it took
  };
  static MaybeLocal<Script> Compile(Local<Context>, Source*, CompileOptions, NoCacheReason);
};

class SnapshotCreator {
 public:
  enum class FunctionCodeHandling { kClear, kKeep };
  SnapshotCreator(const intptr_t*, const StartupData*);
  ~SnapshotCreator();
  Isolate* GetIsolate();
  void SetDefaultContext(Local<Context>, SerializeInternalFieldsCallback, SerializeContextDataCallback,
                         SerializeAPIWrapperCallback);
  StartupData CreateBlob(FunctionCodeHandling);

 private:
  void* impl_;
};

class V8 {
 public:
  static void SetEntropySource(bool (*)(unsigned char*, size_t));
};

namespace api_internal {
internal::Address* GlobalizeReference(internal::Isolate*, internal::Address);
void DisposeGlobal(internal::Address*);
}  // namespace api_internal

}  // namespace v8

using namespace v8;

#define NEW_CONTEXT                                                                                              \
  _ZN2v87Context3NewEPNS_7IsolateEPNS_22ExtensionConfigurationENS_10MaybeLocalINS_14ObjectTemplateEEENS5_INS_5ValueEEENS_33DeserializeInternalFieldsCallbackEPNS_14MicrotaskQueueENS_30DeserializeContextDataCallbackENS_29DeserializeAPIWrapperCallbackE
#define DEFAULT_BLOB _ZN2v88internal8Snapshot19DefaultSnapshotBlobEv
#define PASTE(a, b) a##b
#define WRAP(name) PASTE(__wrap_, name)
#define REAL(name) PASTE(__real_, name)

// One isolate is made at a time, on one thread: plain variables do.
static StartupData blob;
static Isolate* half_made;             // it has the context that v8go makes for itself
static internal::Address* its_context;

extern "C" {

const StartupData* REAL(DEFAULT_BLOB)();

// The linker (--wrap) sends V8 here for its snapshot.
const StartupData* WRAP(DEFAULT_BLOB)() { return blob.data ? &blob : REAL(DEFAULT_BLOB)(); }

Local<Context> REAL(NEW_CONTEXT)(Isolate*, ExtensionConfiguration*, MaybeLocal<ObjectTemplate>, MaybeLocal<Value>,
                                 DeserializeInternalFieldsCallback, MicrotaskQueue*, DeserializeContextDataCallback,
                                 DeserializeAPIWrapperCallback);

// And here for a context. v8go makes two for each isolate: one that it compiles in,
// and the one it was asked for. Here both are the same.
Local<Context> WRAP(NEW_CONTEXT)(Isolate* isolate, ExtensionConfiguration* extensions, MaybeLocal<ObjectTemplate> global,
                                 MaybeLocal<Value> proxy, DeserializeInternalFieldsCallback fields, MicrotaskQueue* queue,
                                 DeserializeContextDataCallback data, DeserializeAPIWrapperCallback wrappers) {
  auto* internal = reinterpret_cast<internal::Isolate*>(isolate);
  Local<Context> context;
  if (half_made == isolate) {
    context.slot = HandleScope::CreateHandle(internal, *its_context);
    api_internal::DisposeGlobal(its_context);
    half_made = nullptr;
    return context;
  }
  context = REAL(NEW_CONTEXT)(isolate, extensions, global, proxy, fields, queue, data, wrappers);
  if (blob.data && context.slot) {
    half_made = isolate;
    its_context = api_internal::GlobalizeReference(internal, *context.slot);
  }
  return context;
}

void use_snapshot(const char* data, int size) { blob = StartupData{data, size}; }

snapshot make_snapshot(const char* source, const char* origin, const unsigned char* cache, int cache_size) {
  snapshot out = {nullptr, 0, 0};
  SnapshotCreator creator(nullptr, nullptr);
  Isolate* isolate = creator.GetIsolate();
  {
    HandleScope scope(isolate);
    Local<Context> context = REAL(NEW_CONTEXT)(isolate, nullptr, {}, {}, {}, nullptr, {}, {});
    auto* entered = reinterpret_cast<Context*>(context.slot);
    entered->Enter();
    ScriptCompiler::CachedData cached(cache, cache_size, ScriptCompiler::CachedData::BufferNotOwned);
    ScriptCompiler::Source from;
    from.text = String::NewFromUtf8(isolate, source, NewStringType::kNormal, -1).local;
    from.name.slot = String::NewFromUtf8(isolate, origin, NewStringType::kNormal, -1).local.slot;
    from.cache = &cached;
    auto script = ScriptCompiler::Compile(context, &from, ScriptCompiler::kConsumeCodeCache, ScriptCompiler::kNoCacheNoReason);
    bool ran = script.local.slot && reinterpret_cast<Script*>(script.local.slot)->Run(context).local.slot;
    out.rejected = cached.rejected;
    entered->Exit();
    if (!ran) return out;
    creator.SetDefaultContext(context, {}, {}, {});
  }
  StartupData made = creator.CreateBlob(SnapshotCreator::FunctionCodeHandling::kKeep);
  out.data = made.data;
  out.size = made.size;
  return out;
}

void free_snapshot(const char* data) { delete[] data; }

static bool entropy(unsigned char* to, size_t size) { return getrandom(to, size, 0) == (ssize_t)size; }

void use_getrandom(void) { V8::SetEntropySource(entropy); }
}
