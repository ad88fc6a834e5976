//! Arguments from outside: a JSON object, read into types, with errors that name the problem.

use super::looks::{Look, Mistake};
use recordar_domain::Invalid;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Types that the arguments of a verb can be read into.
pub trait Arguments: Sized {
    /// The JSON schema, with a description of each argument.
    fn schema() -> Map<String, Value>;

    fn read(given: &Given<'_>) -> Result<Self, Invalid>;
}

impl<T: DeserializeOwned + JsonSchema> Arguments for T {
    fn schema() -> Map<String, Value> {
        schema_of::<T>()
    }

    fn read(given: &Given<'_>) -> Result<Self, Invalid> {
        given.read()
    }
}

/// Two sets of arguments in one object. `#[serde(flatten)]` would lose the position of an error.
#[derive(Debug, Clone)]
pub struct With<A, B>(pub A, pub B);

impl<A: Arguments, B: Arguments> Arguments for With<A, B> {
    fn schema() -> Map<String, Value> {
        let mut schema = A::schema();
        for (key, value) in B::schema() {
            match (schema.get_mut(&key), value) {
                (Some(Value::Object(object)), Value::Object(more)) => object.extend(more),
                (Some(Value::Array(list)), Value::Array(more)) => list.extend(more),
                (None, value) => drop(schema.insert(key, value)),
                _ => {}
            }
        }
        schema
    }

    fn read(given: &Given<'_>) -> Result<Self, Invalid> {
        Ok(Self(A::read(given)?, B::read(given)?))
    }
}

fn schema_of<T: JsonSchema>() -> Map<String, Value> {
    object(SchemaGenerator::default().into_root_schema_for::<T>())
}

/// The schema of what is written, not of what can be read: fields that may be left out are not required.
pub(super) fn written_schema_of<T: JsonSchema>() -> Map<String, Value> {
    object(SchemaSettings::default().for_serialize().into_generator().into_root_schema_for::<T>())
}

fn object(schema: Schema) -> Map<String, Value> {
    match schema.to_value() {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

/// The given arguments, and the schema of the possible ones.
pub struct Given<'a> {
    verb: &'static str,
    schema: &'a Map<String, Value>,
    arguments: Value,
}

impl<'a> Given<'a> {
    /// An unknown argument is an error: a typo must not pass for a default.
    pub(super) fn new(
        verb: &'static str,
        schema: &'a Map<String, Value>,
        mut arguments: Map<String, Value>,
    ) -> Result<Self, Invalid> {
        let given = Self { verb, schema, arguments: Value::Null };
        if let Some(unknown) = arguments.keys().find(|name| !given.is_known(name)) {
            let remedy = match given.names().as_slice() {
                [] => "remove it; this verb takes no arguments".to_owned(),
                names => format!("use {}", names.join(", ")),
            };
            return Err(Invalid::new(format!("{verb} has no argument {unknown:?}"), remedy));
        }
        let is_missing = |name: &&str| arguments.get(*name).is_none_or(Value::is_null);
        if let Some(missing) = given.required().find(is_missing) {
            let description = given.property(missing).and_then(|property| property.get("description")?.as_str());
            let remedy = format!("set {missing}: {}", description.unwrap_or("it is required"));
            return Err(Invalid::new(format!("{verb} needs {missing}"), remedy));
        }
        for (name, value) in &mut arguments {
            let Some(property) = given.property(name) else { continue };
            Look::new(schema, name).at(value, property).map_err(|mistake| given.refusal(mistake))?;
        }
        Ok(Self { arguments: Value::Object(arguments), ..given })
    }

    fn refusal(&self, mistake: Mistake<'_>) -> Invalid {
        let Mistake { path, what, schema } = mistake;
        let field = path.rsplit(['.', ']']).next().unwrap_or(&path);
        let remedy = match schema.get("description").and_then(Value::as_str) {
            Some(description) => format!("{}; {field}: {description}", what.remedy),
            None => what.remedy,
        };
        Invalid::new(format!("{}: {path} {}", self.verb, what.what), remedy)
    }

    fn read<T: DeserializeOwned>(&self) -> Result<T, Invalid> {
        serde_path_to_error::deserialize(&self.arguments)
            .map_err(|error| self.misfit(&error.path().to_string(), &error.into_inner()))
    }

    /// An argument that does not fit its type. Not generic, so that it is compiled once.
    fn misfit(&self, path: &str, problem: &serde_json::Error) -> Invalid {
        let name = path.split(['.', '[']).next().unwrap_or_default();
        let field = path.rsplit(['.', ']']).next().filter(|field| !field.is_empty()).unwrap_or(name);
        let described = self.field(field).or_else(|| self.property(name).map(|property| (name, property)));
        let described = described.and_then(|(name, property)| Some((name, property.get("description")?.as_str()?)));
        let remedy = match described {
            Some((name, description)) => format!("correct {name}: {description}"),
            None => format!("give {}", self.names().join(", ")),
        };
        let place = if name.is_empty() { String::new() } else { format!("{path}: ") };
        Invalid::new(format!("{}: {place}{problem}", self.verb), remedy)
    }

    /// By its name, or by an alias in its schema.
    fn is_known(&self, name: &str) -> bool {
        let properties = self.schema.get("properties").and_then(Value::as_object);
        let is_alias = |property: &Value| property.get("x-alias").is_some_and(|alias| alias == name);
        properties.is_some_and(|all| all.contains_key(name) || all.values().any(is_alias))
    }

    fn property(&self, name: &str) -> Option<&Value> {
        self.schema.get("properties")?.get(name)
    }

    /// A field of an object argument, such as a message.
    fn field<'b>(&self, name: &'b str) -> Option<(&'b str, &Value)> {
        let definitions = self.schema.get("$defs")?.as_object()?;
        let is_argument = self.property(name).is_some();
        let found = definitions.values().find_map(|definition| definition.get("properties")?.get(name));
        found.filter(|_| !is_argument).map(|property| (name, property))
    }

    fn required(&self) -> impl Iterator<Item = &str> {
        self.schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    fn names(&self) -> Vec<&str> {
        let properties = self.schema.get("properties").and_then(Value::as_object);
        properties.into_iter().flat_map(|properties| properties.keys().map(String::as_str)).collect()
    }
}
